// Looks again and again whether whoever began a transfer may still go on with it.
import type { Ctx, Principal } from '../../context.ts';
import { unauthorized } from '../../errors.ts';
import type { ApiKeyPrincipals } from '../auth/api-key-principals.ts';
import { authorize } from '../auth/authorization.ts';
import type { Principals } from '../auth/principals.ts';
import type { Permission } from '../permissions.ts';
import type { MayGoOn } from './transfers.ts';

const everyMs = 1_000;

/** Throws once the caller's session, key, role or license no longer allows it; looks at most once a second. */
export function goingOn(
  { principal, licenseId }: Ctx,
  permission: Permission,
  holders: { principals: Principals; keyPrincipals: ApiKeyPrincipals },
): MayGoOn {
  let lookedAtMs = performance.now();
  return async () => {
    if (performance.now() - lookedAtMs < everyMs) return;
    lookedAtMs = performance.now();
    authorize(await asNow(principal, licenseId, holders), 'bearerAuth', [permission], {
      allowsRevoked: false,
    });
  };
}

function asNow(
  principal: Principal,
  licenseId: string,
  { principals, keyPrincipals }: Parameters<typeof goingOn>[2],
): Promise<Principal> {
  if (principal.kind === 'api_key') return keyPrincipals.again(principal);
  if (principal.kind !== 'user') throw unauthorized();
  return principals.find({ sub: principal.userId, sid: principal.sessionId, license_id: licenseId });
}
