// Asks for confirmation of an early-access signup when no place was left.
import type { Template } from './template.ts';

export const earlyAccessWaiting = {
  values: ['email'],
  asIs: ['email'],
  subject: 'Your signup for early access',
  paragraphs: [
    'Somebody has signed {{email}} up for early access. Every place in the Founding Admin Program is taken; open the link to confirm the signup, and to get a place should one have become free.',
    'If you had signed up before, the link shows where you stand. It works for a week. If this was not you, ignore this message.',
  ],
  page: { path: '/early-access', label: 'Confirm the signup' },
} as const satisfies Template;
