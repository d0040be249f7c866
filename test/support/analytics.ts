// Source rows of analytics, written as the platform writes them, and roll-ups on demand.
import { pino } from 'pino';
import { connectDatabase } from '../../src/database/connection.ts';
import { PlatformScope } from '../../src/database/platform-scope.ts';
import { Reader } from '../../src/database/reader.ts';
import { TenantScope } from '../../src/database/tenant-scope.ts';
import { Transactions } from '../../src/database/transactions.ts';
import { StatsPacking } from '../../src/jobs/stats-packing.ts';
import { StatsRollUp } from '../../src/jobs/stats-roll-up.ts';
import { AnalyticsRollUps } from '../../src/services/analytics/roll-ups.ts';
import { createWipe, insertRow } from './rows.ts';
import type { Tenant, World } from './world.ts';
import { patientLimits } from './database.ts';

/** Counts as the jobs do, which do not run in a world with only the role `api`. */
export async function openRollUps(
  world: World,
  rows?: number,
  timeoutMs?: number,
): Promise<AnalyticsRollUps> {
  const { platform, tenant } = await openScopes(world);
  return new AnalyticsRollUps(platform, tenant, {
    ...(rows !== undefined && { rows }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
}

/** Rolls up figures of servers, as the jobs do. */
export async function openStatsRollUp(world: World): Promise<StatsRollUp> {
  return new StatsRollUp((await openScopes(world)).platform);
}

/** Packs the stats of that instance, as the jobs do an hour after the end of each hour. */
export async function openStatsPacking(world: World): Promise<(instanceId: string) => Promise<void>> {
  const packing = new StatsPacking((await openScopes(world)).platform);
  return async (instanceId) => {
    await world.database.query(
      `insert into instance_stats_due
       select distinct license_id, instance_id, date_trunc('hour', recorded_at, 'UTC'), now() from instance_stats
       where instance_id = $1`,
      [instanceId],
    );
    await packing.run();
  };
}

async function openScopes(world: World) {
  const log = pino({ level: 'silent' });
  const connection = await connectDatabase({
    url: world.database.url,
    limits: patientLimits,
    poolSize: 2,
    log,
  });
  world.atEnd(() => connection.close());
  const transactions = new Transactions(connection.orm, log);
  const reader = new Reader(connection.pool);
  return { platform: new PlatformScope(transactions, reader), tenant: new TenantScope(transactions, reader) };
}

export interface SessionFacts {
  instanceId: string;
  steamId: string;
  startedAt: Date;
  endedAt: Date | null;
  /** False when only a leave was reported. */
  hasJoin?: boolean;
}

export async function addSession(world: World, { license }: Tenant, facts: SessionFacts): Promise<void> {
  const { instanceId, steamId, startedAt, endedAt, hasJoin = true } = facts;
  await world.database.query(
    `insert into player_session (license_id, instance_id, steam_id, started_at, ended_at, last_sign_at, has_join, end_reason)
     values ($1, $2, $3, $4::timestamptz, $5::timestamptz, coalesce($5, $4)::timestamptz, $6, case when $5 is null then null else 'leave' end)
     on conflict do nothing`,
    [license.id, instanceId, steamId, startedAt.toISOString(), endedAt?.toISOString() ?? null, hasJoin],
  );
}

export async function addPlayedMap(world: World, { license }: Tenant, name: string): Promise<string> {
  return insertRow(world, 'played_map', { license_id: license.id, key: name, name });
}

/** A heartbeat that named the map. */
export async function addMapHeartbeat(
  world: World,
  { license }: Tenant,
  { instanceId, mapId, at }: { instanceId: string; mapId: string; at: Date },
): Promise<void> {
  await world.database.query(
    `insert into instance_stats_5m as bucket (license_id, instance_id, bucket_at, map_id, samples, running_samples,
       players_samples, players_sum, fps_samples, fps_sum, entities_samples, entities_sum)
     values ($1, $2, date_bin('5 minutes', $4::timestamptz, 'epoch'), $3, 1, 1, 0, 0, 0, 0, 0, 0)
     on conflict (license_id, instance_id, bucket_at, map_id) do update set samples = bucket.samples + 1`,
    [license.id, instanceId, mapId, at.toISOString()],
  );
}

/** A wipe that was completed at that time. */
export async function addWipe(
  world: World,
  tenant: Tenant,
  { instanceId, at }: { instanceId: string; at: Date },
): Promise<string> {
  return createWipe(world, tenant, { instance_id: instanceId, status: 'completed', finished_at: at });
}
