// The problems of the platform's contract: the status and title of every code.
import type { ProblemKind, ProblemTable } from './contract/problem.ts';
import type { ProblemCode } from './errors.ts';

const kinds: Record<ProblemCode, ProblemKind> = {
  validation_failed: { status: 400, title: 'The request does not match the contract', isGeneral: true },
  malformed_body: { status: 400, title: 'The body can not be read', isGeneral: true },
  unauthorized: { status: 401, title: 'Not signed in', isGeneral: true },
  invalid_credentials: { status: 401, title: 'Wrong e-mail address or password' },
  invalid_refresh_token: { status: 401, title: 'The refresh token is not valid' },
  invalid_setup_token: { status: 401, title: 'The setup token is not valid' },
  forbidden: { status: 403, title: 'Not allowed', isGeneral: true },
  beyond_own_permissions: { status: 403, title: 'Nobody grants what they lack' },
  license_required: { status: 403, title: 'No license chosen', isGeneral: true },
  license_revoked: { status: 403, title: 'The license is revoked', isGeneral: true },
  user_required: { status: 403, title: 'Only for signed-in users', isGeneral: true },
  address_not_allowed: { status: 403, title: 'Not allowed from this address', isGeneral: true },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed', isGeneral: true },
  not_acceptable: { status: 406, title: 'Not acceptable', isGeneral: true },
  already_set_up: { status: 409, title: 'The installation is set up already' },
  name_taken: { status: 409, title: 'The name is taken' },
  subdomain_taken: { status: 409, title: 'The subdomain is taken' },
  public_key_taken: { status: 409, title: 'The key is another host’s' },
  last_super_admin: { status: 409, title: 'The last super admin stays' },
  limit_reached: { status: 409, title: 'A limit is reached' },
  idempotency_in_flight: {
    status: 409,
    title: 'The first request with this key still runs',
    isGeneral: true,
    retryAfterSeconds: 1,
  },
  payload_too_large: { status: 413, title: 'The body is too large', isGeneral: true },
  unsupported_media_type: { status: 415, title: 'Unsupported media type', isGeneral: true },
  idempotency_key_reused: { status: 422, title: 'The key was used for another request', isGeneral: true },
  internal: { status: 500, title: 'Internal error', isGeneral: true },
  unavailable: { status: 503, title: 'Temporarily unavailable', isGeneral: true, retryAfterSeconds: 2 },
  agent_offline: { status: 503, title: 'The agent is offline' },
  agent_timeout: { status: 504, title: 'The agent did not answer in time' },
};

export const problems: ProblemTable = { kinds, requestIdField: 'request_id' };
