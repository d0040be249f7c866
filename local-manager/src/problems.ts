// The problems of the manager's contract: the status and title of every code.
import type { ProblemKind, ProblemTable } from '../../src/contract/problem.ts';
import type { components } from '../../generated/local-manager.d.ts';

export type ProblemCode = components['schemas']['ProblemCode'];

const kinds: Record<ProblemCode, ProblemKind> = {
  validation_failed: { status: 400, title: 'The request does not match the contract', isGeneral: true },
  malformed_body: { status: 400, title: 'The body cannot be parsed', isGeneral: true },
  unauthorized: { status: 401, title: 'The token is missing or belongs to another start', isGeneral: true },
  origin_refused: { status: 403, title: 'Only for the manager’s own page', isGeneral: true },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed', isGeneral: true },
  not_acceptable: { status: 406, title: 'Not acceptable', isGeneral: true },
  operation_running: { status: 409, title: 'Another operation is running' },
  operation_ended: { status: 409, title: 'The operation has ended' },
  not_cancellable: { status: 409, title: 'The operation cannot be cancelled now' },
  ssh_key_missing: { status: 409, title: 'The SSH key is missing' },
  ssh_key_rejected: { status: 409, title: 'The SSH key is not accepted' },
  ssh_key_permissions: { status: 409, title: 'Other users can read the SSH key' },
  ssh_key_passphrase: { status: 409, title: 'The SSH key has a passphrase' },
  host_key_changed: { status: 409, title: 'The virtual machine has another host key' },
  vm_missing: { status: 409, title: 'There is no virtual machine' },
  vm_exists: { status: 409, title: 'The virtual machine already exists' },
  vm_off: { status: 409, title: 'The virtual machine is not running' },
  vm_on: { status: 409, title: 'The virtual machine is not off' },
  battlegroup_missing: { status: 409, title: 'There is no battlegroup' },
  battlegroup_exists: { status: 409, title: 'The battlegroup already exists' },
  several_battlegroups: { status: 409, title: 'There is more than one battlegroup' },
  character_online: { status: 409, title: 'The character may be in the game' },
  character_changed: { status: 409, title: 'The character has changed since you read it' },
  no_tech_data: { status: 409, title: 'The character has no tech tree yet' },
  stale_version: { status: 412, title: 'The files have changed since you read them' },
  payload_too_large: { status: 413, title: 'The body is too large', isGeneral: true },
  unsupported_media_type: { status: 415, title: 'Unsupported media type', isGeneral: true },
  confirmation_needed: { status: 422, title: 'Confirmation required' },
  invalid_token: { status: 422, title: 'The token is not a self-hosting token' },
  invalid_address: { status: 422, title: 'The address is not valid' },
  invalid_setting: { status: 422, title: 'The value of the setting is not valid' },
  internal: { status: 500, title: 'Internal error', isGeneral: true },
  start_failed: { status: 502, title: 'The virtual machine cannot be started' },
  guest_failed: { status: 502, title: 'The virtual machine could not carry out the request' },
  host_failed: { status: 502, title: 'Windows could not carry out the request' },
  hyperv_unavailable: { status: 503, title: 'Hyper-V is not available' },
  host_permission: { status: 503, title: 'The manager is not elevated' },
  guest_unreachable: { status: 503, title: 'The virtual machine does not respond' },
  unavailable: { status: 503, title: 'Temporarily unavailable', isGeneral: true, retryAfterSeconds: 2 },
  out_of_memory: { status: 507, title: 'The host has too little memory' },
};

export const problems: ProblemTable = { kinds, requestIdField: 'requestId', exampleInstance: '/api/status' };
