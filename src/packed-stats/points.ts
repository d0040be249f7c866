// Reads the points of instances, packed or not yet. Rows become packed while they are read, and never unpacked.
import { sql } from 'kysely';
import type { Queries } from '../database/reader.ts';
import { pointColumns, unpackPoints, type StatsPoint } from './codec.ts';

interface Wanted {
  licenseId: string;
  instanceId: string;
  /** RFC 3339; points at this time are included. */
  from: string;
  /** RFC 3339, each of them; points at this time are not included. */
  before: readonly string[];
  /** Maximum number of points. */
  count: number;
}

/**
 * Returns the newest points of the range, newest first. The first query may return points that are packed before the
 * next one, so that both return them; no point is unpacked again.
 */
export async function newestPoints(queries: Queries, wanted: Wanted): Promise<StatsPoint[]> {
  const { licenseId, instanceId, from, before, count } = wanted;
  let unpacked = queries
    .selectFrom('instance_stats')
    .select(pointColumns)
    .where('license_id', '=', licenseId)
    .where('instance_id', '=', instanceId)
    .where('recorded_at', '>=', from);
  for (const time of before) unpacked = unpacked.where('recorded_at', '<', time);
  const rows: StatsPoint[] = await unpacked.orderBy('recorded_at', 'desc').limit(count).execute();
  const found = new Map(rows.map((point) => [point.recorded_at, point]));
  // Older points than these are not among the newest.
  const oldest = rows.length < count ? from : (rows.at(-1)?.recorded_at ?? from);
  await addPacked(queries, { ...wanted, from: oldest }, found);
  return [...found.values()]
    .sort((one, other) => (one.recorded_at < other.recorded_at ? 1 : -1))
    .slice(0, count);
}

/** Reads hours from the newest one backwards, more each time, until there are enough points. */
async function addPacked(
  queries: Queries,
  { licenseId, instanceId, from, before, count }: Wanted,
  found: Map<string, StatsPoint>,
): Promise<void> {
  let packedCount = 0;
  let former: string | undefined;
  for (let hours = 1; packedCount < count; hours *= 2) {
    let query = queries
      .selectFrom('instance_stats_packed')
      .select([
        'hour_at',
        'points',
        // The database reads times more finely than JavaScript.
        sql<number>`ceil(extract(epoch from ${from}::timestamptz) * 1000)::float8`.as('from_ms'),
        sql<number>`ceil(extract(epoch from least(${sql.join([
          sql`hour_at + interval '1 hour'`,
          ...before.map((time) => sql`${time}::timestamptz`),
        ])})) * 1000)::float8`.as('before_ms'),
      ])
      .where('license_id', '=', licenseId)
      .where('instance_id', '=', instanceId)
      .where('hour_at', '>', sql<string>`${from}::timestamptz - interval '1 hour'`);
    for (const time of [...before, ...(former === undefined ? [] : [former])])
      query = query.where('hour_at', '<', time);
    const packed = await query.orderBy('hour_at', 'desc').limit(hours).execute();
    for (const { points, from_ms: fromMs, before_ms: beforeMs } of packed)
      for (const point of unpackPoints(points)) {
        const timeMs = Date.parse(point.recorded_at);
        if (timeMs < fromMs || timeMs >= beforeMs) continue;
        found.set(point.recorded_at, point);
        packedCount += 1;
      }
    if (packed.length < hours) return;
    former = packed.at(-1)?.hour_at;
  }
}

/** Where the next call of `pointsAfter` continues. */
export interface PointsPosition {
  instanceId: string;
  at: string;
}

/** A row of `instance_stats`. */
export type PointRow = { license_id: string; instance_id: string } & StatsPoint;

const hoursAtOnce = 4;

/** The time as `to_jsonb` writes it. */
const asInJson = (time: string) => time.replace(/\.?0*Z$/, '+00:00');

/** The first instance and span of hours with points at or after the position, all of them from one snapshot. */
const spanAfter = ({ instanceId, at }: PointsPosition) => sql<{
  instance_id: string;
  next_at: string;
  rows: PointRow[] | null;
  packed: string[] | null;
}>`
  with first as (
    select instance_id, at from (
      (select instance_id, recorded_at as at from instance_stats
        where (instance_id, recorded_at) >= (${instanceId}::uuid, ${at}::timestamptz)
        order by instance_id, recorded_at limit 1)
      union all
      (select instance_id, hour_at from instance_stats_packed
        where (instance_id, hour_at) >= (${instanceId}::uuid, ${at}::timestamptz)
        order by instance_id, hour_at limit 1)
    ) as firsts order by instance_id, at limit 1
  ), span as (
    select instance_id, from_at, from_at + make_interval(hours => ${hoursAtOnce}) as next_at
    from first, lateral (select date_trunc('hour', at, 'UTC') as from_at) as span
  )
  select instance_id, next_at,
    (select jsonb_agg(to_jsonb(stats)) from instance_stats as stats where stats.instance_id = span.instance_id
        and recorded_at >= from_at and recorded_at < next_at) as rows,
    (select array_agg(encode(points, 'base64') order by hour_at) from instance_stats_packed as packed
      where packed.instance_id = span.instance_id and hour_at >= from_at and hour_at < next_at) as packed
  from span`;

/** Returns the license's next points by instance and time, and the position after them; none after the last. */
export async function pointsAfter(
  queries: Queries,
  licenseId: string,
  position: PointsPosition = { instanceId: '00000000-0000-0000-0000-000000000000', at: '-infinity' },
): Promise<{ points: PointRow[]; next: PointsPosition | undefined }> {
  const [span] = (await spanAfter(position).execute(queries)).rows;
  if (span === undefined) return { points: [], next: undefined };
  const { instance_id: instanceId, next_at: at } = span;
  const unpacked = (span.packed ?? []).flatMap((packed) => unpackPoints(Buffer.from(packed, 'base64')));
  const ofHours = unpacked.map((point) => ({
    license_id: licenseId,
    instance_id: instanceId,
    ...point,
    recorded_at: asInJson(point.recorded_at),
  }));
  const points = [...ofHours, ...(span.rows ?? [])].sort(
    (one, other) => Date.parse(one.recorded_at) - Date.parse(other.recorded_at),
  );
  return { points, next: { instanceId, at } };
}
