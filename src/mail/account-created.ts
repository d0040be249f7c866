// Notifies a person that an account was created for them, with a link to choose its password.
import type { Template } from './template.ts';

export const accountCreated = {
  values: ['email', 'license'],
  asIs: ['email'],
  subject: 'Your account for {{license}}',
  paragraphs: [
    'An account was made for {{email}}, the owner of {{license}}.',
    'The link works once. Should it have expired, ask for a new password where you sign in.',
  ],
  page: { path: '/reset-password', label: 'Choose a password' },
} as const satisfies Template;
