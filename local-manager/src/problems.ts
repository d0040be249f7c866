// The problems of the manager's contract: status, title, cause and remedy of every code.
import type { ProblemKind, ProblemTable } from '../../src/contract/problem.ts';
import { unparsedProblems } from '../../src/contract/unparsed-requests.ts';
import type { components } from '../../generated/local-manager.d.ts';

export type ProblemCode = components['schemas']['ProblemCode'];

const kinds: Record<ProblemCode, ProblemKind> = {
  ...unparsedProblems,
  validation_failed: {
    status: 400,
    title: 'The request does not match the contract',
    isGeneral: true,
    cause:
      'A parameter or a field of the body breaks a rule of the contract: it is missing, has the wrong type or form, is out of range, or is unknown.',
    remedy: 'Read `errors`: each entry names the place and the rule. Correct the request and send it again.',
  },
  malformed_body: {
    status: 400,
    title: 'The body cannot be parsed',
    isGeneral: true,
    cause: 'The body cannot be parsed as JSON in UTF-8.',
    remedy: 'Serialize the body with a JSON library and send the whole body.',
  },
  unauthorized: {
    status: 401,
    title: 'The token is missing or belongs to another start',
    condition: 'The token is missing or belongs to another start of the manager.',
    isGeneral: true,
    cause: 'The token is missing, or the manager was restarted since, and each start has its own token.',
    remedy:
      "Open the link that the manager prints, or read the token from `session.json` in the manager's home and send it as `X-Manager-Token`.",
  },
  origin_refused: {
    status: 403,
    title: 'Only for the manager’s own page',
    condition: "The request comes from another page, or is not addressed to this machine's own name.",
    isGeneral: true,
    cause:
      "The request comes from another web page, or is not addressed to this machine's own name. This protects against pages that attack local programs.",
    remedy: "Use the manager's own page, or call it from a script at the address that it prints.",
  },
  not_found: {
    status: 404,
    title: 'Not found',
    condition: 'The request names an object that does not exist.',
    cause: 'The path or the resource does not exist.',
    remedy: 'Check the path and the ID, and read the list again.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    isGeneral: true,
    cause: 'The path exists, but does not support the HTTP method of the request.',
    remedy: 'Use a method of the `Allow` header of the response.',
  },
  not_acceptable: {
    status: 406,
    title: 'Not acceptable',
    isGeneral: true,
    cause: 'The `Accept` header of the request excludes every media type that the operation can return.',
    remedy: 'Accept `application/json`, or leave the header out.',
  },
  operation_running: {
    status: 409,
    title: 'Another operation is running',
    cause: 'Another long operation is running, and one runs at a time. The problem names it.',
    remedy: 'Wait for its end, or cancel it, then repeat the request.',
  },
  operation_ended: {
    status: 409,
    title: 'The operation has ended',
    cause: 'The operation has already ended, so it can neither be cancelled nor take input.',
    remedy: 'Read its result.',
  },
  not_cancellable: {
    status: 409,
    title: 'The operation cannot be cancelled now',
    condition: 'The operation is in a step that must not be interrupted.',
    cause: 'The operation is in a step that must not be interrupted, because half of a change would remain.',
    remedy: 'Wait some seconds and cancel again.',
  },
  ssh_key_missing: {
    status: 409,
    title: 'The SSH key is missing',
    condition: 'The home of the manager has no SSH key for the virtual machine.',
    cause: "The manager's home has no SSH key for the virtual machine.",
    remedy:
      'Copy the existing key to the path in `detail`, or recover access with the password, the bundled key or the console of the virtual machine.',
  },
  ssh_key_rejected: {
    status: 409,
    title: 'The SSH key is not accepted',
    condition: 'The virtual machine does not accept the SSH key.',
    cause: 'The virtual machine does not accept the SSH key.',
    remedy:
      'Copy the key that belongs to this virtual machine to the path in `detail`, or recover access with the password, the bundled key or the console of the virtual machine.',
  },
  ssh_key_permissions: {
    status: 409,
    title: 'Other users can read the SSH key',
    condition: 'Other users of the computer can read the SSH key.',
    cause: 'Other users of the computer can read the SSH key, so ssh refuses to use it.',
    remedy:
      "Remove the rights of other users, or move the manager's home to a folder that only you can read.",
  },
  ssh_key_passphrase: {
    status: 409,
    title: 'The SSH key has a passphrase',
    cause: 'The SSH key is protected by a passphrase, which the manager cannot enter.',
    remedy: 'Remove the passphrase with `ssh-keygen -p`.',
  },
  ssh_password_rejected: {
    status: 422,
    title: 'The password is not accepted',
    condition: 'The virtual machine does not accept the password, or takes no passwords.',
    cause: 'The virtual machine does not accept the password, or takes no passwords.',
    remedy: 'Send the password that was set for its user, or recover access in another way.',
  },
  host_key_changed: {
    status: 409,
    title: 'The virtual machine has another host key',
    cause:
      'The virtual machine has another SSH host key than before: it was replaced, or another machine has its address.',
    remedy:
      'If you have replaced it, compare both fingerprints in the status and accept the new one. Otherwise find out which machine has the address.',
  },
  vm_missing: {
    status: 409,
    title: 'There is no virtual machine',
    condition: 'Hyper-V has no virtual machine for the game server.',
    cause: 'Hyper-V has no virtual machine for the game server.',
    remedy: 'Import it first.',
  },
  vm_exists: {
    status: 409,
    title: 'The virtual machine already exists',
    cause: 'A virtual machine of that name already exists.',
    remedy: 'Continue with it, or reset the setup first.',
  },
  vm_off: {
    status: 409,
    title: 'The virtual machine is not running',
    cause: 'The virtual machine is not running, and the operation needs it.',
    remedy: 'Start the virtual machine.',
  },
  vm_on: {
    status: 409,
    title: 'The virtual machine is not off',
    cause: 'The operation needs a virtual machine that is off.',
    remedy: 'Shut the virtual machine down and wait until it is off.',
  },
  battlegroup_missing: {
    status: 409,
    title: 'There is no battlegroup',
    condition: 'The virtual machine has no battlegroup.',
    cause: 'The virtual machine has no battlegroup.',
    remedy: 'Run the setup, or repair it.',
  },
  battlegroup_exists: {
    status: 409,
    title: 'The battlegroup already exists',
    condition: 'The virtual machine already has a battlegroup.',
    cause: 'The virtual machine already has a battlegroup.',
    remedy: 'Use the existing battlegroup, or reset the setup first.',
  },
  several_battlegroups: {
    status: 409,
    title: 'There is more than one battlegroup',
    condition: 'The virtual machine has more than one battlegroup.',
    cause: 'The virtual machine has more than one battlegroup, and the manager manages exactly one.',
    remedy: 'Remove the others within the virtual machine.',
  },
  character_online: {
    status: 409,
    title: 'The character may be in the game',
    cause: 'The character may be in the game, which would overwrite the change.',
    remedy: 'Log the character out, wait some minutes, and repeat the request.',
  },
  character_changed: {
    status: 409,
    title: 'The character has changed since you read it',
    cause: 'The game has changed the character since you read it. Nothing was changed.',
    remedy: 'Read the character again and repeat the request.',
  },
  no_tech_data: {
    status: 409,
    title: 'The character has no tech tree yet',
    condition: 'The character has never entered the game.',
    cause: 'The character has never entered the game, so it has no tech tree.',
    remedy: 'Enter the game with the character once.',
  },
  stale_version: {
    status: 412,
    title: 'The files have changed since you read them',
    cause: 'The files of the settings have changed since you read them. Nothing was changed.',
    remedy: 'Read the settings again and apply your change to them.',
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large',
    isGeneral: true,
    cause: 'The body has more than 256 KiB.',
    remedy: 'Send less at once.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    condition: 'The body is not `application/json`, or it is compressed.',
    isGeneral: true,
    cause: 'The body is not `application/json`, or it is compressed.',
    remedy: 'Send JSON with `Content-Type: application/json`.',
  },
  confirmation_needed: {
    status: 422,
    title: 'Confirmation required',
    condition: 'The request does not have the word of confirmation.',
    cause: 'The operation deletes permanently and needs the word of confirmation. Nothing was deleted.',
    remedy: 'Send the word that `detail` names.',
  },
  invalid_token: {
    status: 422,
    title: 'The token is not a self-hosting token',
    condition: 'The token is not a self-hosting token, is incomplete, or has expired.',
    cause: 'The token is not a self-hosting token, is incomplete, or has expired.',
    remedy: 'Copy the whole token, or get a new one from the account page of the game.',
  },
  invalid_address: {
    status: 422,
    title: 'The address is not valid',
    condition: 'The network address is incomplete, or another machine uses it.',
    cause: 'The network address is incomplete, or another machine uses it.',
    remedy:
      'Send the address, the prefix length and the gateway, with an address that no other machine of the network has.',
  },
  invalid_setting: {
    status: 422,
    title: 'The value of the setting is not valid',
    condition: 'The value of a setting has the wrong type or is out of range.',
    cause: 'The value of the setting has the wrong type or is out of range. Nothing was saved.',
    remedy: 'Read the description of the setting and send a value that it allows.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    condition: 'The manager failed.',
    isGeneral: true,
    cause:
      'The manager failed. Nothing is wrong with the request. Details are in its log, with the request ID.',
    remedy: 'Repeat the request. If it fails again, create a diagnostics bundle and report the `requestId`.',
  },
  start_failed: {
    status: 502,
    title: 'The virtual machine cannot be started',
    condition: 'Hyper-V could not start the virtual machine.',
    cause: 'Hyper-V could not start the virtual machine. `detail` holds its reason.',
    remedy: 'Act on the reason, for example free memory or disk space, and start it again.',
  },
  guest_failed: {
    status: 502,
    title: 'The virtual machine could not carry out the request',
    condition: 'A command within the virtual machine failed.',
    cause: 'A command within the virtual machine failed. `detail` holds its output.',
    remedy: 'Act on the output. The self-test finds common causes.',
  },
  host_failed: {
    status: 502,
    title: 'Windows could not carry out the request',
    condition: 'A Windows command on the host failed.',
    cause: 'A Windows command on the host failed. `detail` holds its message.',
    remedy: 'Act on the message. The preflight check finds common causes.',
  },
  hyperv_unavailable: {
    status: 503,
    title: 'Hyper-V is not available',
    condition: 'Hyper-V or Windows PowerShell cannot be used on this computer.',
    cause: 'Hyper-V or Windows PowerShell cannot be used on this computer.',
    remedy: 'Enable Hyper-V in the Windows features, restart Windows, and run the preflight check.',
  },
  host_permission: {
    status: 503,
    title: 'The manager is not elevated',
    condition: 'The manager runs without the rights that Hyper-V needs.',
    cause: 'The manager runs without the rights that Hyper-V needs.',
    remedy: 'Start the manager as administrator, or as a member of the group Hyper-V Administrators.',
  },
  guest_unreachable: {
    status: 503,
    title: 'The virtual machine does not respond',
    condition: 'The virtual machine runs, but does not respond on the network.',
    cause: 'The virtual machine runs, but does not respond on the network.',
    remedy: 'Wait until it has started, check its address and the virtual switch, or restart it.',
  },
  unavailable: {
    status: 503,
    title: 'Temporarily unavailable',
    condition: 'The manager is busy or stopping.',
    isGeneral: true,
    retryAfterSeconds: 2,
    cause: 'The manager is busy or stopping.',
    remedy: 'Wait for the seconds in `Retry-After` and repeat the request.',
  },
  out_of_memory: {
    status: 507,
    title: 'The host has too little memory',
    condition: 'The host has too little free memory for the virtual machine.',
    cause: 'The host has too little free memory for the virtual machine.',
    remedy: 'Close other programs, or give the virtual machine less memory.',
  },
  disk_full: {
    status: 507,
    title: 'The drive of the host is full',
    cause: 'The drive that `detail` names has no free space. Nothing was changed.',
    remedy: 'Free space on that drive and repeat the request.',
  },
};

export const problems: ProblemTable = { kinds, requestIdField: 'requestId' };
