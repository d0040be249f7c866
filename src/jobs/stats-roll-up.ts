// Rolls five-minute stats up into hours and days, each exactly once, late ones included.
import { BatchSize } from '../database/batch-size.ts';
import type { EntityManager } from '../database/connection.ts';
import type { PlatformScope } from '../database/platform-scope.ts';
import { tryLock } from '../database/advisory-locks.ts';
import { packedAfterMinutes } from '../packed-stats/lateness.ts';

const maxBuckets = 2_000;

const sums = `sum(samples), sum(running_samples), sum(players_samples), sum(players_sum), min(players_min),
  max(players_max), sum(fps_samples), sum(fps_sum), min(fps_min), sum(entities_samples), sum(entities_sum), max(entities_max)`;

const columns = `samples, running_samples, players_samples, players_sum, players_min, players_max, fps_samples, fps_sum,
  fps_min, entities_samples, entities_sum, entities_max`;

const replaced = columns
  .split(',')
  .map((column) => `${column.trim()} = excluded.${column.trim()}`)
  .join(', ');

/** The key columns of a stats row. */
interface Key {
  license_id: string;
  instance_id: string;
  bucket_at: string;
  map_id: string;
}

export class StatsRollUp {
  readonly #platform: PlatformScope;
  readonly #batch = new BatchSize(maxBuckets);

  constructor(platform: PlatformScope) {
    this.#platform = platform;
  }

  /**
   * Processes the five-minute buckets that are over and have changed. Their hours and days are recomputed rather than
   * incremented, and a row that changes meanwhile is due again, so the work is idempotent and can be interrupted.
   */
  async run(): Promise<void> {
    let isMore: boolean;
    do
      isMore = await this.#batch.take(
        async (size) => (await this.#platform.transact('jobs', (em) => rollUpSome(em, size))) === size,
      );
    while (isMore);
  }
}

/** One replica at a time: two that recompute the same hour could overwrite the newer sum with the older one. */
async function rollUpSome(em: EntityManager, size: number): Promise<number> {
  if (!(await tryLock(em, 'stats roll-up'))) return 0;
  // A separate statement: the following ones see data at least as new as the rows that this one marks.
  const changed = await em.execute<Key[]>(
    `with due as (
       select license_id, instance_id, bucket_at, map_id from instance_stats_5m
       where not is_rolled_up and bucket_at < date_bin('5 minutes', now(), 'epoch')
       order by bucket_at limit ? for update skip locked
     )
     update instance_stats_5m as bucket set is_rolled_up = true from due
     where bucket.license_id = due.license_id and bucket.instance_id = due.instance_id
       and bucket.bucket_at = due.bucket_at and bucket.map_id = due.map_id
     returning bucket.license_id, bucket.instance_id, bucket.bucket_at, bucket.map_id`,
    [size],
  );
  await addUp(em, changed, { from: 'instance_stats_5m', to: 'instance_stats_hour', unit: 'hour' });
  await addUp(em, changed, { from: 'instance_stats_hour', to: 'instance_stats_day', unit: 'day' });
  await enqueueForPacking(em, changed);
  return changed.length;
}

async function addUp(
  em: EntityManager,
  changed: readonly Key[],
  { from, to, unit }: { from: string; to: string; unit: 'hour' | 'day' },
): Promise<void> {
  if (changed.length === 0) return;
  await em.execute(
    `with due as (
       select distinct license_id, instance_id, date_trunc('${unit}', bucket_at, 'UTC') as bucket_at, map_id
       from jsonb_to_recordset(?::jsonb)
         as changed(license_id uuid, instance_id uuid, bucket_at timestamptz, map_id uuid)
     )
     insert into ${to} (license_id, instance_id, bucket_at, map_id, ${columns})
     select due.license_id, due.instance_id, due.bucket_at, due.map_id, ${sums}
     from due join ${from} as part on part.license_id = due.license_id and part.instance_id = due.instance_id
       and part.map_id = due.map_id and part.bucket_at >= due.bucket_at
       and part.bucket_at < due.bucket_at + interval '1 ${unit}'
     group by due.license_id, due.instance_id, due.bucket_at, due.map_id
     on conflict (license_id, instance_id, bucket_at, map_id) do update set ${replaced}`,
    [JSON.stringify(changed)],
  );
}

/** Every stored row changes its five minutes, so the rows of every hour are packed, late ones again. */
async function enqueueForPacking(em: EntityManager, changed: readonly Key[]): Promise<void> {
  if (changed.length === 0) return;
  await em.execute(
    `insert into instance_stats_due (license_id, instance_id, hour_at, due_at)
     select distinct license_id, instance_id, hour_at,
       greatest(now(), hour_at + interval '1 hour') + interval '${packedAfterMinutes} minutes'
     from jsonb_to_recordset(?::jsonb) as changed(license_id uuid, instance_id uuid, bucket_at timestamptz),
       lateral (select date_trunc('hour', bucket_at, 'UTC') as hour_at) as hour
     on conflict do nothing`,
    [JSON.stringify(changed)],
  );
}
