// Asks for confirmation of an early-access signup while places are left.
import type { Template } from './template.ts';

export const earlyAccessPlace = {
  values: ['email'],
  asIs: ['email'],
  subject: 'Your place in the Founding Admin Program',
  paragraphs: [
    'Somebody has signed {{email}} up for early access. The Founding Admin Program has places left; open the link to confirm the signup and to take one. A place is yours once you have opened the link, not before.',
    'If you had signed up before, the link shows where you stand. It works for a week. If this was not you, ignore this message.',
  ],
  page: { path: '/early-access', label: 'Confirm the signup' },
} as const satisfies Template;
