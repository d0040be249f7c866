// Inserts the stats of a batch of heartbeats and adds them to the five-minute roll-ups, in one statement.
import type pg from 'pg';
import { noMap } from '../entities/instance-stats-rollups.ts';
import { mapIn, type FoundMaps } from './played-maps.ts';
import { reportColumns, reportValues, sentTime, unnest, type Stored } from './reports.ts';

/**
 * Missing figures do not count. The sums include each newly stored row exactly once, at the time at which it was sent,
 * however long it has waited.
 */
export async function insertStats(
  client: pg.PoolClient,
  reports: readonly Stored[],
  maps: FoundMaps,
): Promise<void> {
  await client.query({
    name: 'heartbeat-stats',
    text: `
      with stored as (
        insert into instance_stats (license_id, instance_id, recorded_at, map_id, ${reportColumns})
        select * from ${unnest('uuid[]', 'uuid[]', 'timestamptz[]', 'uuid[]')} on conflict do nothing
        returning license_id, instance_id, recorded_at, map_id, state, players, fps, entities
      )
      insert into instance_stats_5m as bucket (license_id, instance_id, bucket_at, map_id, samples, running_samples,
        players_samples, players_sum, players_min, players_max, fps_samples, fps_sum, fps_min,
        entities_samples, entities_sum, entities_max)
      select license_id, instance_id, date_bin('5 minutes', recorded_at, 'epoch'), coalesce(map_id, '${noMap}'),
        count(*), count(*) filter (where state = 'running'),
        count(players), coalesce(sum(players), 0), min(players), max(players),
        count(fps), coalesce(sum(fps), 0), min(fps),
        count(entities), coalesce(sum(entities), 0), max(entities)
      from stored group by 1, 2, 3, 4
      on conflict (license_id, instance_id, bucket_at, map_id) do update set
        samples = bucket.samples + excluded.samples,
        running_samples = bucket.running_samples + excluded.running_samples,
        players_samples = bucket.players_samples + excluded.players_samples,
        players_sum = bucket.players_sum + excluded.players_sum,
        players_min = least(bucket.players_min, excluded.players_min),
        players_max = greatest(bucket.players_max, excluded.players_max),
        fps_samples = bucket.fps_samples + excluded.fps_samples,
        fps_sum = bucket.fps_sum + excluded.fps_sum,
        fps_min = least(bucket.fps_min, excluded.fps_min),
        entities_samples = bucket.entities_samples + excluded.entities_samples,
        entities_sum = bucket.entities_sum + excluded.entities_sum,
        entities_max = greatest(bucket.entities_max, excluded.entities_max),
        is_rolled_up = false`,
    values: [
      reports.map(({ host }) => host.license_id),
      reports.map(({ id }) => id),
      reports.map(({ heartbeat }) => sentTime(heartbeat)),
      reports.map((report) => mapIn(maps, report)),
      ...reportValues(reports),
    ],
  });
}
