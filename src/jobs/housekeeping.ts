// Ends what has run out, and prepares what is to come.
import type { PlatformScope } from '../database/platform-scope.ts';
import { createPartitions } from '../database/migrate.ts';
import { keptMs } from '../services/idempotency.ts';

/** How long an acknowledged command may take to report its end, after its own deadline. */
const reportGraceHours = 24;

export async function keepHouse(platform: PlatformScope): Promise<void> {
  await platform.transact('jobs', async (em) => {
    await em.execute(createPartitions);
    await em.execute(`delete from console_ticket where expires_at < now()`);
    await em.execute(`delete from setup_token where expires_at < now()`);
    await em.execute(`delete from idempotency_record where created_at < ?`, [new Date(Date.now() - keptMs)]);
    await em.execute(`delete from bus_revocation where revoked_at < now() - interval '1 day'`);
    await em.execute(`delete from refresh_token where expires_at < now()`);
  });
}

/** Commands that were not taken before their deadline, or whose end was never reported, are expired. */
export async function expireCommands(platform: PlatformScope): Promise<void> {
  await platform.transact('jobs', (em) =>
    em.execute(
      `update command set status = 'expired', finished_at = now()
       where (status in ('queued', 'sent') and expires_at < now())
          or (status = 'acknowledged' and expires_at < now() - make_interval(hours => ?))`,
      [reportGraceHours],
    ),
  );
}
