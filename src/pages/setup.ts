// The page behind the one-time setup link: it creates the first user.
import { servePage } from './small-page.ts';

export const setupPage = servePage({
  title: 'Set up Gantry',
  intro: 'Create the first user. They administer the whole platform.',
  fields: [
    {
      name: 'email',
      label: 'E-mail address',
      type: 'email',
      autocomplete: 'username',
      isRequired: true,
    },
    {
      name: 'password',
      label: 'Password, at least 12 characters',
      type: 'password',
      autocomplete: 'new-password',
      isRequired: true,
      minLength: 12,
    },
  ],
  button: 'Create the user',
  done: 'Done. You can sign in now: POST /auth/login, as /api/docs describes.',
  operation: { path: '/auth/bootstrap', tokenName: 'setup_token' },
});
