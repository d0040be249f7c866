// Finds late heartbeats that were stored before and are packed by now, so that none counts twice.
import type pg from 'pg';
import { shareLock } from '../database/advisory-locks.ts';
import { unpackPoints } from '../packed-stats/codec.ts';
import { hourOf, isLate, packingLock } from '../packed-stats/lateness.ts';
import { sentTime, type Stored } from './reports.ts';

/**
 * Leaves out the reports that a packed row contains. A connection that is lost during a commit makes a batch be stored
 * again, however much later; rows that are not packed yet refuse to be stored twice by themselves.
 */
export async function withoutPacked(
  client: pg.PoolClient,
  reports: readonly Stored[],
): Promise<readonly Stored[]> {
  const late = reports.filter(({ heartbeat }) => isLate(sentTime(heartbeat)));
  if (late.length === 0) return reports;
  await shareLock(client, packingLock);
  const known = await packedTimes(client, late);
  return reports.filter((report) => !known.has(timeOf(report)));
}

const timeOf = ({ id, heartbeat }: Stored) => `${id} ${new Date(sentTime(heartbeat)).toISOString()}`;

async function packedTimes(client: pg.PoolClient, reports: readonly Stored[]): Promise<ReadonlySet<string>> {
  const hours = reports.map((report) => hourOf(sentTime(report.heartbeat)));
  const { rows } = await client.query<{ instance_id: string; points: Buffer }>(
    `select packed.instance_id, packed.points from instance_stats_packed as packed
     join (select distinct * from unnest($1::uuid[], $2::uuid[], $3::timestamptz[])) as late(license_id, instance_id, hour_at)
       on packed.license_id = late.license_id and packed.instance_id = late.instance_id and packed.hour_at = late.hour_at`,
    [reports.map(({ host }) => host.license_id), reports.map(({ id }) => id), hours],
  );
  return new Set(
    rows.flatMap(({ instance_id: id, points }) =>
      unpackPoints(points).map(({ recorded_at: at }) => `${id} ${at}`),
    ),
  );
}
