// Holds back webhooks and notifications of a license for the switch, so that nothing sent is sent again by the other cell.
import type pg from 'pg';

const tables = ['webhook', 'notification_channel'];
/** The leases of the platform's processes are shorter (src/services). */
const leaseSeconds = 45;
/** A mover that died holds them back no longer than this. */
const heldSeconds = 120;

/** Takes the leases over, and returns how long those of the platform's processes still last at most. */
export async function holdOutgoing(client: pg.Client, licenseId: string): Promise<number> {
  let maxMs = 0;
  for (const table of tables) {
    const { rows } = await client.query<{ ms: number }>(
      `with before as (select id, served_until, turn_id from ${table} where license_id = $1::uuid for update)
       update ${table} set served_until = now() + make_interval(secs => ${heldSeconds}), turn_id = $1::uuid
       from before where ${table}.id = before.id
       returning case when before.turn_id = $1::uuid then ${leaseSeconds * 1_000}
         else greatest(extract(epoch from before.served_until - now()) * 1000, 0) end::int as ms`,
      [licenseId],
    );
    maxMs = Math.max(maxMs, ...rows.map(({ ms }) => ms ?? 0));
  }
  return maxMs;
}

export async function releaseOutgoing(client: pg.Client, licenseId: string): Promise<void> {
  for (const table of tables)
    await client.query(
      `update ${table} set served_until = null, turn_id = null where license_id = $1::uuid and turn_id = $1::uuid`,
      [licenseId],
    );
}
