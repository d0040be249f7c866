// Has somebody confirm a signup for early access that holds a place for a while.
import type { Template } from './template.ts';

export const earlyAccessPlace = {
  values: ['email'],
  asIs: ['email'],
  subject: 'Your place in the Founding Admin Program',
  paragraphs: [
    'Somebody has signed {{email}} up for early access. A place in the Founding Admin Program is held for this signup for one hour; open the link to keep it.',
    'If you had signed up before, the link shows where you stand. It works for a week. If this was not you, ignore this message: the place becomes free again.',
  ],
  page: { path: '/early-access', label: 'Confirm the signup' },
} as const satisfies Template;
