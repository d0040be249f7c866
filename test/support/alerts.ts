// Runs alert rounds on demand for tests.
import type { World } from './world.ts';

/** Makes the license's next round due. A license has one while it has a host or an open alert. */
export async function runAlertRound(world: World, licenseId: string): Promise<void> {
  await world.database.query(`update alert_round set begun_at = '-infinity' where license_id = $1`, [
    licenseId,
  ]);
}
