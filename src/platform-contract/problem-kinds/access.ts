// Problems of signing in, of credentials, and of the members and roles of a license.
import type { ProblemKind } from '../../contract/problem.ts';
import type { ProblemCode } from '../../errors.ts';

export const accessProblems = {
  password_required: {
    status: 400,
    title: 'A password is required',
    condition: 'The invited address has no account yet, and the request has no password.',
    cause:
      'The invited address has no account yet, so accepting the invitation creates one, which needs a password.',
    remedy: 'Send `password` with the token of the invitation.',
  },
  unauthorized: {
    status: 401,
    title: 'Not signed in',
    condition: 'The credentials are missing, malformed, expired or revoked.',
    isGeneral: true,
    cause: 'The request has no valid credentials: they are missing, malformed, expired or revoked.',
    remedy:
      'For an access token, refresh it once with `POST /auth/refresh` and repeat the request; if that fails, sign in again. For a key, check that it is complete, not deleted and not expired, and sent in the header that the operation lists.',
  },
  invalid_credentials: {
    status: 401,
    title: 'Wrong e-mail address or password',
    condition: 'The e-mail address or the password is wrong.',
    cause:
      'The e-mail address and the password do not belong to one account. The response does not reveal which of them is wrong.',
    remedy:
      'Check both, or set a new password through “forgot password”. Repeated failures are rate limited for the account and the address.',
  },
  invalid_refresh_token: {
    status: 401,
    title: 'The refresh token is not valid',
    condition: 'The refresh token is unknown, expired or already used, or its session has ended.',
    cause:
      'The refresh token is unknown, has expired, was already used, or its session was ended. Each refresh token can be used once.',
    remedy:
      'Sign in again. Always store the newest refresh token, and do not refresh in parallel with the same token.',
  },
  invalid_setup_token: {
    status: 401,
    title: 'The setup token is not valid',
    condition: 'The setup link was already used, or the server has printed a newer one.',
    cause: 'The one-time setup link was already used, or the server has printed a newer one since.',
    remedy: 'Restart the server and use the link that it prints.',
  },
  invalid_enrolment_code: {
    status: 401,
    title: 'The enrolment code is not valid',
    condition: 'The code is unknown, has expired, or has enrolled another host.',
    cause: 'The code is unknown, has expired after 15 minutes, or has already enrolled another host.',
    remedy: 'Create a new code in the panel or with `createEnrolmentCode`.',
  },
  invalid_invitation: {
    status: 401,
    title: 'The invitation is not valid',
    condition: 'The invitation is unknown, was accepted or revoked, or has expired.',
    cause: 'The invitation was already accepted, was revoked, or has expired.',
    remedy: 'Ask a member who can invite to send a new invitation.',
  },
  invalid_challenge: {
    status: 401,
    title: 'The challenge is not valid',
    condition: 'The challenge is unknown, has expired, or had too many wrong codes.',
    cause: 'The sign-in that waits for a second factor has expired or had too many wrong codes.',
    remedy: 'Sign in again with e-mail address and password, and send the code within five minutes.',
  },
  invalid_password_token: {
    status: 401,
    title: 'The password link is not valid',
    condition: 'The password link was used or has expired, or the password has changed since.',
    cause: 'The password link was already used or has expired, or the password has been changed since.',
    remedy: 'Request a new link and use the newest mail.',
  },
  invalid_signature: {
    status: 401,
    title: 'The signature is not valid',
    condition: 'The signature does not match the body and the secret, or is too old.',
    cause:
      'The signature of a payment callback does not match its body and the secret of the store, or the callback is too old.',
    remedy:
      'Store the signing secret that the payment provider shows for exactly this callback URL, and let the provider send the event again.',
  },
  invalid_link: {
    status: 401,
    title: 'The link is not valid',
    condition: 'The link is malformed, unknown or expired.',
    cause: 'The link is malformed, unknown or expired.',
    remedy: 'Request a new link: sign up again, or repeat the action that sent it.',
  },
  forbidden: {
    status: 403,
    title: 'Permission denied',
    condition: 'The caller lacks the permission, or its kind of credential is not accepted.',
    isGeneral: true,
    cause:
      'The caller is known, but lacks the permission that the operation requires, or the operation is for super admins of the platform, or takes another kind of credential. `detail` names the permission or the kind.',
    remedy:
      'Ask an owner of the license for a role or a key with that permission. The reference lists the permission of each operation.',
  },
  beyond_own_permissions: {
    status: 403,
    title: 'You cannot grant permissions you do not have',
    condition: 'The request needs or grants permissions that the caller does not have.',
    cause: 'The request would grant permissions that the caller does not have. `detail` lists them.',
    remedy: 'Leave those permissions out, or let a member who has them make the request.',
  },
  license_required: {
    status: 403,
    title: 'The access token carries no license',
    isGeneral: 'with-permission',
    cause:
      'The user of the access token works in no license: they are not a member of one, or the token is older than the membership.',
    remedy:
      'Refresh the token if you have just joined a license, or choose one with `POST /auth/switch-license`.',
  },
  license_revoked: {
    status: 403,
    title: 'The license is revoked',
    condition: 'The license is revoked or suspended.',
    isGeneral: 'with-permission',
    cause:
      'The license is revoked or suspended, so its members, keys and agents have no access. Its owner can still read and export it.',
    remedy: 'Contact the platform, or the hosting company that provided the license.',
  },
  sandboxes_disabled: {
    status: 403,
    title: 'Sandboxes are turned off',
    cause: 'The operator of this installation does not offer sandboxes.',
    remedy: 'Ask the operator to set `GANTRY_SANDBOXES`, or use an installation of your own.',
  },
  sandbox_required: {
    status: 409,
    title: 'The license is not a sandbox',
    cause: 'The operation works only in a sandbox, and the license of the API key or session is none.',
    remedy: 'Create a sandbox with `POST /api/sandbox` and use the API key that it returns.',
  },
  sandbox_refused: {
    status: 409,
    title: 'Not available in a sandbox',
    condition: 'The license is a sandbox.',
    cause: 'The license is a sandbox, in which the operation could have effects outside of it.',
    remedy: 'Use a license that is not a sandbox.',
  },
  simulation_refused: {
    status: 409,
    title: 'Not possible in the simulation',
    isStatedByOperations: true,
    cause:
      'The player is banned, the simulated server is full, or the sandbox was reset while its clock advanced.',
    remedy: 'Lift the ban, or let a player leave first. After a reset, advance the clock again.',
  },
  step_up_required: {
    status: 403,
    title: 'Recent confirmation required',
    condition: 'The session was not confirmed within the last 10 minutes.',
    isGeneral: 'with-step-up',
    cause:
      'The operation changes who has access, or deletes permanently, and the session was not confirmed within the last 10 minutes.',
    remedy:
      'Call `POST /auth/step-up` with the password, or with a code of the second factor, and repeat the request. API keys need no step-up.',
  },
  user_required: {
    status: 403,
    title: 'A signed-in user is required',
    condition: 'The credential is not that of a signed-in user.',
    isGeneral: true,
    cause:
      'The operation takes only access tokens of signed-in users, and the request was made with an API key, or with another credential of a program.',
    remedy: 'Sign in as a user and send the access token.',
  },
  cross_origin: {
    status: 403,
    title: 'Only pages of this origin may do this',
    condition: 'The request comes from a page of another origin.',
    cause:
      'The browser says that a page of another origin has sent the request. Operations on the session cookie are for pages of the platform itself.',
    remedy: 'Pages of other origins, and programs, refresh their session with `POST /auth/refresh`.',
  },
  address_not_allowed: {
    status: 403,
    title: 'The API key is not allowed from this address',
    isGeneral: true,
    cause: 'The API key is restricted to networks that do not contain the address of the caller.',
    remedy:
      'Send the request from an allowed network, or change the allowed networks of the key. Behind a proxy, the operator must configure it as trusted.',
  },
  already_set_up: {
    status: 409,
    title: 'The first user already exists',
    cause: 'The first user of the installation exists, and it can be created only once.',
    remedy: 'Sign in instead. A super admin can create further users by invitation.',
  },
  already_member: {
    status: 409,
    title: 'The user is already a team member',
    cause: 'The user is already a member of the license.',
    remedy: 'Change the role of the member instead of inviting them.',
  },
  already_invited: {
    status: 409,
    title: 'The address already has an open invitation',
    cause: 'The address has an open invitation to the license.',
    remedy: 'Wait until it is accepted, or revoke it and send another.',
  },
  last_owner: {
    status: 409,
    title: 'A license needs at least one Owner',
    condition: 'The change would leave the license without an Owner.',
    cause: 'The change would leave the license without a member who has the role Owner.',
    remedy: 'Give another member the role Owner first.',
  },
  role_immutable: {
    status: 409,
    title: 'System roles cannot be changed',
    condition: 'The role is a system role.',
    cause: 'System roles are the same in every license and cannot be changed or deleted.',
    remedy: 'Duplicate the role, change the copy, and assign the copy to members.',
  },
  role_in_use: {
    status: 409,
    title: 'The role is in use',
    condition: 'Members or open invitations have the role.',
    cause: 'Members or open invitations have the role.',
    remedy: 'Give them another role, then delete this one.',
  },
  last_super_admin: {
    status: 409,
    title: 'The platform needs at least one super admin',
    condition: 'The change would leave the platform without a super admin.',
    cause: 'The change would leave the platform without a super admin.',
    remedy: 'Make another user a super admin first.',
  },
  totp_already_on: {
    status: 409,
    title: 'The second factor is already enabled',
    cause: 'The account already has a second factor.',
    remedy: 'Disable the second factor before you set up another authenticator app.',
  },
  totp_not_set_up: {
    status: 409,
    title: 'The second factor is not set up',
    cause: 'The account has no secret for a second factor that could be enabled.',
    remedy:
      'Create a secret with `POST /auth/2fa/setup`, add it to an authenticator app, then send a code of the app.',
  },
  totp_not_on: {
    status: 409,
    title: 'The second factor is not enabled',
    cause: 'The account has no second factor that could be disabled.',
    remedy: 'No action is needed.',
  },
  wrong_password: {
    status: 422,
    title: 'The current password is wrong',
    cause: 'The current password is wrong.',
    remedy: 'Send the password that the account has now, or set a new one through “forgot password”.',
  },
  same_password: {
    status: 422,
    title: 'The new password is the current one',
    cause: 'The new password equals the current one.',
    remedy: 'Choose a different password.',
  },
  weak_password: {
    status: 422,
    title: 'The password is too easy to guess',
    condition: 'The password is too short, common, or made of the e-mail address of the account.',
    cause:
      "The password is too easy to guess: too short, common, or made of the account's own e-mail address.",
    remedy: 'Choose a longer password, for example of several unrelated words.',
  },
  second_factor_required: {
    status: 422,
    title: 'A second-factor code is required',
    condition: 'The account has a second factor, and the request has no code.',
    cause: 'The account has a second factor, so a password alone does not confirm the identity.',
    remedy: 'Send a code of the authenticator app, or a recovery code, as `code`.',
  },
  invalid_code: {
    status: 422,
    title: 'The code is not valid',
    condition: 'The code is wrong, expired or already used.',
    cause: 'The code is wrong, has expired, or was already used. Each code can be used once.',
    remedy:
      'Wait for the next code of the authenticator app and check that the clock of the device is right, or use another recovery code.',
  },
} satisfies Partial<Record<ProblemCode, ProblemKind>>;
