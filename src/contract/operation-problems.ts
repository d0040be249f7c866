// Which problems an operation can return: the codes of its own, and the general ones that its shape makes possible.
import { asksForPermission, type SecurityRequirement } from './document.ts';
import type { ProblemTable } from './problem.ts';

interface Operation {
  security: readonly SecurityRequirement[];
  requestBody?: unknown;
  parameters?: readonly { $ref?: string; name?: string }[];
  'x-problem-codes'?: readonly string[];
  'x-step-up'?: boolean;
}

/** General codes that a contract without limits or tenants does not have. */
const ofThePlatform = ['rate_limited', 'forbidden', 'user_required', 'address_not_allowed'];

const idempotencyCodes = ['idempotency_in_flight', 'idempotency_key_reused'];

/** Every code that the operation can return; those of its own come first. */
export function problemCodesOf(operation: Operation, kinds: ProblemTable['kinds']): string[] {
  const takesKey = (operation.parameters ?? []).some(
    ({ $ref, name }) => name === 'Idempotency-Key' || $ref?.endsWith('/IdempotencyKey') === true,
  );
  const codes = [
    ...(operation['x-problem-codes'] ?? []),
    'validation_failed',
    ...(operation.requestBody === undefined
      ? []
      : ['malformed_body', 'payload_too_large', 'unsupported_media_type']),
    ...(operation.security.length === 0
      ? []
      : ['unauthorized', 'forbidden', 'user_required', 'address_not_allowed']),
    ...(operation['x-step-up'] === true ? ['step_up_required'] : []),
    ...(asksForPermission(operation) ? ['license_required', 'license_revoked'] : []),
    ...(takesKey ? idempotencyCodes : []),
    'rate_limited',
    'internal',
    'unavailable',
  ];
  return [...new Set(codes)].filter((code) => !ofThePlatform.includes(code) || kinds[code] !== undefined);
}
