// Packs the stats of heartbeats: one row for each instance and hour instead of one for each heartbeat.
import { tryLock } from '../database/advisory-locks.ts';
import { BatchSize } from '../database/batch-size.ts';
import type { EntityManager } from '../database/connection.ts';
import type { PlatformScope } from '../database/platform-scope.ts';
import { packPoints, pointColumns, unpackPoints, type StatsPoint } from '../packed-stats/codec.ts';
import { packingLock } from '../packed-stats/lateness.ts';

/** Hours of instances in one transaction: 7,000 rows with a heartbeat each ten seconds. */
const maxHours = 20;
/** The next run packs what is left after this many. */
const maxBatches = 500;

/** The key columns of a packed row. */
interface Hour {
  license_id: string;
  instance_id: string;
  hour_at: string;
}

export class StatsPacking {
  readonly #platform: PlatformScope;
  readonly #batch = new BatchSize(maxHours);

  constructor(platform: PlatformScope) {
    this.#platform = platform;
  }

  /** Packs the due hours. A row is packed and deleted in one transaction, so the work can be interrupted. */
  async run(): Promise<void> {
    for (let count = 0; count < maxBatches; count += 1) {
      const isMore = await this.#batch.take(
        async (size) => (await this.#platform.transact('jobs', (em) => packSome(em, size))) === size,
      );
      if (!isMore) return;
    }
  }
}

/** One replica at a time, and not while late heartbeats are stored; see `packingLock`. */
async function packSome(em: EntityManager, size: number): Promise<number> {
  if (!(await tryLock(em, packingLock))) return 0;
  // The plan for few rows must also suit many: statistics are updated later.
  await em.execute(
    'set local enable_seqscan = off; set local enable_hashjoin = off; set local enable_mergejoin = off',
  );
  // A separate statement: the following ones see data at least as new as these rows.
  const due = await em.execute<Hour[]>(
    `with due as (
       select license_id, instance_id, hour_at from instance_stats_due where due_at <= now() order by due_at limit ?
     )
     delete from instance_stats_due as known using due
     where known.license_id = due.license_id and known.instance_id = due.instance_id and known.hour_at = due.hour_at
     returning known.license_id, known.instance_id, known.hour_at`,
    [size],
  );
  if (due.length === 0) return 0;
  const taken = Map.groupBy(await takeRows(em, due), keyOf);
  const hours = due.filter((hour) => taken.has(keyOf(hour)));
  const known = new Map((await packedRows(em, hours)).map((row) => [keyOf(row), row.points]));
  await store(
    em,
    hours.map((hour) => {
      const key = keyOf(hour);
      const packed = known.get(key);
      return {
        ...hour,
        points: merge(packed === undefined ? [] : unpackPoints(packed), taken.get(key) ?? []),
      };
    }),
  );
  return due.length;
}

const keyOf = ({ instance_id: instanceId, hour_at: hourAt }: Hour) => `${instanceId} ${hourAt}`;

const hoursOf = 'jsonb_to_recordset(?::jsonb) as due(license_id uuid, instance_id uuid, hour_at timestamptz)';

/** Deletes the rows of those hours and returns them. */
function takeRows(em: EntityManager, due: readonly Hour[]): Promise<(Hour & StatsPoint)[]> {
  return em.execute<(Hour & StatsPoint)[]>(
    `delete from instance_stats as stats using ${hoursOf}
     where stats.license_id = due.license_id and stats.instance_id = due.instance_id
       and stats.recorded_at >= due.hour_at and stats.recorded_at < due.hour_at + interval '1 hour'
     returning stats.license_id, due.hour_at, stats.instance_id,
       ${pointColumns.map((column) => `stats.${column}`).join(', ')}`,
    [JSON.stringify(due)],
  );
}

function packedRows(em: EntityManager, hours: readonly Hour[]): Promise<(Hour & { points: Buffer })[]> {
  return em.execute<(Hour & { points: Buffer })[]>(
    `select packed.* from instance_stats_packed as packed join ${hoursOf}
       on packed.license_id = due.license_id and packed.instance_id = due.instance_id and packed.hour_at = due.hour_at`,
    [JSON.stringify(hours)],
  );
}

/** Late heartbeats join an hour that is packed already. */
function merge(packed: readonly StatsPoint[], taken: readonly StatsPoint[]): StatsPoint[] {
  const points = new Map([...packed, ...taken].map((point) => [point.recorded_at, point]));
  return [...points.values()].sort((one, other) => (one.recorded_at < other.recorded_at ? -1 : 1));
}

async function store(em: EntityManager, hours: readonly (Hour & { points: StatsPoint[] })[]): Promise<void> {
  if (hours.length === 0) return;
  const rows = hours.map((hour) => ({ ...hour, points: packPoints(hour.points).toString('base64') }));
  await em.execute(
    `insert into instance_stats_packed (license_id, instance_id, hour_at, points)
     select license_id, instance_id, hour_at, decode(points, 'base64')
     from jsonb_to_recordset(?::jsonb) as row(license_id uuid, instance_id uuid, hour_at timestamptz, points text)
     on conflict (license_id, instance_id, hour_at) do update set points = excluded.points`,
    [JSON.stringify(rows)],
  );
}
