// Invites a person to join a license.
import type { Template } from './template.ts';

export const invitation = {
  values: ['inviter', 'license', 'role'],
  subject: 'You are invited to {{license}}',
  paragraphs: [
    '{{inviter}} invites you to work on {{license}} as {{role}}.',
    'The link works once. If you do not know who invites you, do nothing.',
  ],
  page: { path: '/accept-invitation', label: 'Accept the invitation' },
} as const satisfies Template;
