// Rechecks during a transfer whether the caller is still permitted to continue.
import type { Ctx } from '../../context.ts';
import type { LastingAccess } from '../auth/access-recheck.ts';
import type { Permission } from '../permissions/permission-map.ts';
import type { AccessCheck } from './transfers.ts';

const everyMs = 1_000;

/**
 * Returns a check that throws once the session, key, role or license no longer permits the transfer. Runs at most once
 * per second.
 */
export function accessCheck(
  ctx: Ctx,
  permissions: readonly Permission[],
  lastingAccess: LastingAccess,
): AccessCheck {
  let lookedAtMs = performance.now();
  return async () => {
    if (performance.now() - lookedAtMs < everyMs) return;
    lookedAtMs = performance.now();
    await lastingAccess.refuseEnded(ctx, { scheme: 'bearerAuth', permissions });
  };
}
