// Two weeks of a game server: reports, sessions, maps and wipes, as the platform records them.
import { addPlayedMap, addSession, addWipe, openRollUps, openStatsRollUp } from '../../support/analytics.ts';
import { createHost, createInstance } from '../../support/rows.ts';
import type { Tenant, World } from '../../support/world.ts';

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;
const days = 14;
const players = 24;

export interface History {
  instanceId: string;
  /** The player who has been on since an hour ago. */
  steamId: string;
}

const steamIdOf = (index: number) => String(76561197960300000n + BigInt(index));

export async function addHistory(world: World, tenant: Tenant): Promise<History> {
  for (const table of ['instance_stats', 'instance_stats_5m', 'instance_stats_hour', 'player_session'])
    await world.database.query(
      `select create_month_partitions($1, (current_date - interval '2 months')::date, 3)`,
      [table],
    );
  const hostId = await createHost(world, tenant);
  const instanceId = await createInstance(world, tenant, { host_id: hostId, name: 'main', state: 'running' });
  const island = await addPlayedMap(world, tenant, 'Procedural Map');
  const barren = await addPlayedMap(world, tenant, 'Barren');
  await addReports(world, tenant, instanceId);
  await addBuckets(world, tenant, instanceId, { island, barren });
  await addSessions(world, tenant, instanceId);
  for (const age of [13, 9, 5, 1.5])
    await addWipe(world, tenant, { instanceId, at: new Date(Date.now() - age * dayMs) });
  await (await openRollUps(world)).run();
  await (await openStatsRollUp(world)).run();
  return { instanceId, steamId: steamIdOf(0) };
}

/** Of the last two hours, with a pause of ten minutes. */
async function addReports(world: World, { license }: Tenant, instanceId: string): Promise<void> {
  await world.database.query(
    `insert into instance_stats (license_id, instance_id, recorded_at, state, uptime_seconds, players, max_players,
       queued, fps, entities, cpu_percent, memory_bytes)
     select $1, $2, now() - make_interval(secs => age), 'running', 90000 - age, 40 + (10 * sin(age / 700.0))::int, 100,
       greatest(0, (3 * sin(age / 300.0))::int), 55 + 4 * sin(age / 130.0), 120000 - age::int, 60 + 20 * sin(age / 500.0),
       6000000000 + 900000000 * sin(age / 900.0)
     from generate_series(0, 7200, 15) as age where age not between 2400 and 3000`,
    [license.id, instanceId],
  );
}

async function addBuckets(
  world: World,
  { license }: Tenant,
  instanceId: string,
  { island, barren }: { island: string; barren: string },
): Promise<void> {
  await world.database.query(
    `insert into instance_stats_5m (license_id, instance_id, bucket_at, map_id, samples, running_samples, players_samples,
       players_sum, players_min, players_max, fps_samples, fps_sum, fps_min, entities_samples, entities_sum, entities_max)
     select $1, $2, at, case when at < now() - interval '5 days' then $3::uuid else $4::uuid end, 30, 30, 30,
       30 * level, greatest(0, level - 4), level + 5, 30, 30 * 57.5, 41.5, 30, 30 * 120000, 121000
     from (select at, (30 + 20 * sin(extract(epoch from at) / 13751.0))::int as level
           from generate_series(date_bin('5 minutes', now() - make_interval(days => $5), 'epoch'),
                                date_bin('5 minutes', now(), 'epoch'), '5 minutes') as at) as levels`,
    [license.id, instanceId, barren, island, days],
  );
}

/** Each player comes in the evening, of fewer and fewer days. */
async function addSessions(world: World, tenant: Tenant, instanceId: string): Promise<void> {
  const midnight = Math.floor(Date.now() / dayMs) * dayMs;
  for (let index = 1; index < players; index += 1)
    for (let day = 1; day <= days; day += 1 + (index % 5)) {
      const startedAt = midnight - day * dayMs + (15 + (index % 8)) * hourMs;
      const minutes = [3, 12, 25, 55, 110, 200, 300, 550][(index + day) % 8] ?? 30;
      await addSession(world, tenant, {
        instanceId,
        steamId: steamIdOf(index),
        startedAt: new Date(startedAt),
        endedAt: new Date(startedAt + minutes * 60_000),
      });
    }
  await addSession(world, tenant, {
    instanceId,
    steamId: steamIdOf(0),
    startedAt: new Date(Date.now() - hourMs),
    endedAt: null,
  });
}
