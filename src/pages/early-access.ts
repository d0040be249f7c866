// The page behind the link of a signup for early access: it confirms the address.
import { servePage } from './small-page.ts';

export const earlyAccessPage = servePage({
  title: 'Confirm your signup',
  intro: 'Your address is on the list once you confirm it.',
  fields: [],
  button: 'Confirm',
  done: {
    field: 'holds_founding_place',
    ifTrue: 'Done. You have a place in the Founding Admin Program.',
    ifFalse: 'Done. You are on the list; every place in the Founding Admin Program is taken at present.',
  },
  operation: { path: '/api/early-access/confirmations', tokenName: 'token' },
});
