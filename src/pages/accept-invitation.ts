// The page behind the link of an invitation: it makes its reader a member of the license.
import { servePage } from './small-page.ts';

export const acceptInvitationPage = servePage({
  title: 'Accept the invitation',
  intro: 'Leave the field empty if your account already has a password.',
  fields: [
    {
      name: 'password',
      label: 'Password of your new account, at least 12 characters',
      type: 'password',
      autocomplete: 'new-password',
      isRequired: false,
      minLength: 12,
    },
  ],
  button: 'Accept',
  done: 'Done. You can sign in now.',
  operation: { path: '/auth/invitations/accept', tokenName: 'token' },
});
