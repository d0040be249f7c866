// The page behind the link of a message: it sets the password of the account that the link is for.
import { servePage } from './small-page.ts';

export const resetPasswordPage = servePage({
  title: 'Choose a new password',
  intro: 'Every session of your account ends, and you sign in again with the new password.',
  fields: [
    {
      name: 'password',
      label: 'New password, at least 12 characters',
      type: 'password',
      autocomplete: 'new-password',
      isRequired: true,
      minLength: 12,
    },
  ],
  button: 'Set the password',
  done: 'Done. You can sign in with the new password now.',
  operation: { path: '/auth/reset-password', tokenName: 'token' },
});
