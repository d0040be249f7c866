// Reads the time at which the due schedules of a license are handled.
import type { Ctx } from '../../context.ts';
import type { EntityManager } from '../../database/connection.ts';

/** The database's clock is the same for every replica. Locks the license's status until the transaction ends. */
export async function momentOf(ctx: Ctx, em: EntityManager): Promise<{ now: Date; isActive: boolean }> {
  const [row] = await em.execute<{ now: string; status: string }[]>(
    'select now() as now, license_status_held(?) as status',
    [ctx.licenseId],
  );
  return { now: new Date(row?.now ?? NaN), isActive: row?.status === 'active' };
}
