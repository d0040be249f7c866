// Which problems an operation can return: the codes of its own, and the general ones that its shape makes possible.
import { asksForPermission, type SecurityRequirement } from './document.ts';

interface Operation {
  security: readonly SecurityRequirement[];
  requestBody?: unknown;
  parameters?: readonly { $ref?: string; name?: string }[];
  'x-problem-codes'?: readonly string[];
  'x-step-up'?: boolean;
}

/** General codes that a contract without limits or tenants does not have. */
const ofThePlatform = ['rate_limited', 'forbidden', 'user_required', 'address_not_allowed'];

/** Codes that depend on the credentials that the operation takes. */
const accessCodes = ['unauthorized', 'forbidden', 'user_required', 'address_not_allowed'];

const userSchemes = ['bearerAuth', 'superAdmin'];

/** Whether the schemes are those of signed-in users. */
export const takesOnlyUsers = (schemes: readonly string[]): boolean =>
  schemes.every((scheme) => userSchemes.includes(scheme));

/** The codes with which an operation of that security refuses credentials. */
function accessCodesOf({ security }: Pick<Operation, 'security'>): string[] {
  const schemes = security.flatMap(Object.keys);
  if (schemes.length === 0) return [];
  const isForUsers = takesOnlyUsers(schemes);
  const canForbid = !isForUsers || schemes.includes('superAdmin') || asksForPermission({ security });
  return [
    'unauthorized',
    ...(canForbid ? ['forbidden'] : []),
    ...(isForUsers ? ['user_required'] : []),
    ...(schemes.includes('apiKey') ? ['address_not_allowed'] : []),
  ];
}

/** Whether the code depends on credentials that the operation does not take. */
export const isForeignAccessCode = (code: string, operation: Pick<Operation, 'security'>): boolean =>
  accessCodes.includes(code) && !accessCodesOf(operation).includes(code);

const idempotencyCodes = ['idempotency_in_flight', 'idempotency_key_reused'];

/** Every code that the operation can return; those of its own come first. */
export function problemCodesOf(operation: Operation, kinds: Readonly<Record<string, unknown>>): string[] {
  const takesKey = (operation.parameters ?? []).some(
    ({ $ref, name }) => name === 'Idempotency-Key' || $ref?.endsWith('/IdempotencyKey') === true,
  );
  const codes = [
    ...(operation['x-problem-codes'] ?? []),
    'validation_failed',
    ...(operation.requestBody === undefined
      ? []
      : ['malformed_body', 'payload_too_large', 'unsupported_media_type']),
    ...accessCodesOf(operation),
    ...(operation['x-step-up'] === true ? ['step_up_required'] : []),
    ...(asksForPermission(operation) ? ['license_required', 'license_revoked'] : []),
    ...(takesKey ? idempotencyCodes : []),
    'rate_limited',
    'internal',
    'unavailable',
  ];
  return [...new Set(codes)].filter((code) => !ofThePlatform.includes(code) || kinds[code] !== undefined);
}
