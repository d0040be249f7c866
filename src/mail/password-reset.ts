// Sends a link to choose a new password to a user who has forgotten theirs.
import type { Template } from './template.ts';

export const passwordReset = {
  values: ['email'],
  asIs: ['email'],
  subject: 'Choose a new password',
  paragraphs: [
    'Somebody, most likely you, asked for a new password for {{email}}.',
    'The link works once and for one hour. Your password stays as it is until you use it; if you did not ask for this, do nothing.',
  ],
  page: { path: '/reset-password', label: 'Choose a new password' },
} as const satisfies Template;
