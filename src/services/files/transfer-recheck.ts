// Looks again and again whether whoever began a transfer may still go on with it.
import type { Ctx } from '../../context.ts';
import type { LastingAccess } from '../auth/access-recheck.ts';
import type { Permission } from '../permissions/permission-map.ts';
import type { MayGoOn } from './transfers.ts';

const everyMs = 1_000;

/** Throws once the caller's session, key, role or license no longer allows it; looks at most once a second. */
export function goingOn(ctx: Ctx, permissions: readonly Permission[], lastingAccess: LastingAccess): MayGoOn {
  let lookedAtMs = performance.now();
  return async () => {
    if (performance.now() - lookedAtMs < everyMs) return;
    lookedAtMs = performance.now();
    await lastingAccess.refuseEnded(ctx, { scheme: 'bearerAuth', permissions });
  };
}
