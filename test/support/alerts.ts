// Rounds of alerts at the moment that a test wants them.
import type { World } from './world.ts';

/** Makes the license's next round due. It has one while it has a host or an open alert. */
export async function haveLookedAt(world: World, licenseId: string): Promise<void> {
  await world.database.query(`update alert_round set begun_at = '-infinity' where license_id = $1`, [
    licenseId,
  ]);
}
