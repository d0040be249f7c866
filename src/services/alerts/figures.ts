// Reads the figures of licenses' hosts and instances and evaluates them by the licenses' rules.
import type { EntityManager } from '../../database/connection.ts';
import type { Evaluated } from './decision.ts';
import {
  evaluateAgent,
  evaluateClock,
  evaluateDisk,
  evaluateFps,
  evaluateHost,
  evaluatePopulation,
  evaluateState,
  type Bucket,
  type HostFigures,
} from './conditions.ts';
import type { AlertKind, AlertRules } from './rules.ts';

/** A host or one of its game instances. */
export interface Subject {
  name: string;
  hostId: string;
  hostName: string;
  instanceId: string | null;
}

interface HostRow {
  license_id: string;
  id: string;
  hostname: string;
  is_online: boolean;
  last_heartbeat_ms: number | null;
  agent_version: string;
  disk_used_bytes: string | number | null;
  disk_total_bytes: string | number | null;
  clock_offset_ms: string | number | null;
  former_clock_offset_ms: string | number | null;
}

interface InstanceRow {
  license_id: string;
  id: string;
  name: string;
  host_id: string;
  hostname: string;
  state: string;
  state_ms: number | null;
  crashed_ms: number | null;
  crash_reported_ms: number | null;
}

interface BucketRow {
  instance_id: string;
  at_ms: number;
  players_sum: string | number;
  players_samples: string | number;
  fps_sum: number;
  fps_samples: string | number;
}

/** A license's rules and history, as an evaluation needs them. */
export interface Known {
  licenseId: string;
  rules: AlertRules;
  /** Time of the previous evaluation. */
  lastEvaluatedMs: number;
  /** Player count before the drop, by instance with an open `population_drop` alert. */
  playersBefore: ReadonlyMap<string, number>;
  /** Time of the reported crash, by instance with an `instance_crashed` alert that is open or can be reopened. */
  reportedCrashes: ReadonlyMap<string, number>;
}

interface Clock {
  now: number;
  /** Start of the last completed five minutes. */
  lastAt: number;
  /** Version of the agent that ships with the platform. */
  ownVersion: string;
}

/** The last evaluation may have missed a crash that was reported while it ran. */
const overlapMs = 60_000;

/** Evaluates every enabled rule, by license. The database's clock is the reference. */
export async function evaluateAll(
  em: EntityManager,
  licenses: readonly Known[],
  ownVersion: string,
): Promise<ReadonlyMap<string, Evaluated<Subject>[]>> {
  const [times] = await em.execute<{ now_ms: number; last_ms: number }[]>(
    `select extract(epoch from now())::float8 * 1000 as now_ms,
       extract(epoch from date_bin('5 minutes', now(), 'epoch') - interval '5 minutes')::float8 * 1000 as last_ms`,
  );
  if (times === undefined) throw new Error('the database returned no time');
  const clock: Clock = { now: times.now_ms, lastAt: times.last_ms, ownVersion };
  const ids = `{${licenses.map(({ licenseId }) => licenseId).join(',')}}`;
  const hosts = Map.groupBy(await hostsOf(em, ids), ({ license_id }) => license_id);
  const instances = Map.groupBy(await instancesOf(em, ids), ({ license_id }) => license_id);
  const buckets = await bucketsOf(em, ids, { minutes: maxWindow(licenses), lastAt: clock.lastAt });
  return new Map(
    licenses.map((known) => {
      const evaluated = [
        ...(hosts.get(known.licenseId) ?? []).flatMap((row) => evaluateHostRow(row, known, clock)),
        ...(instances.get(known.licenseId) ?? []).flatMap((row) =>
          evaluateInstanceRow(row, buckets.get(row.id) ?? [], known, clock),
        ),
      ];
      return [known.licenseId, evaluated.filter(({ kind }) => known.rules[kind].is_enabled)];
    }),
  );
}

function hostsOf(em: EntityManager, licenseIds: string): Promise<HostRow[]> {
  return em.execute<HostRow[]>(
    `select license_id, id, hostname, status = 'online' as is_online,
       extract(epoch from last_heartbeat_at)::float8 * 1000 as last_heartbeat_ms,
       agent_version, disk_used_bytes, disk_total_bytes, clock_offset_ms, former_clock_offset_ms
     from agent_host where license_id = any(?::uuid[]) order by id`,
    [licenseIds],
  );
}

function evaluateHostRow(row: HostRow, { rules }: Known, { now, ownVersion }: Clock): Evaluated<Subject>[] {
  const figures: HostFigures = {
    isOnline: row.is_online,
    lastHeartbeatAt: row.last_heartbeat_ms,
    agentVersion: row.agent_version,
    diskUsedBytes: figureOf(row.disk_used_bytes),
    diskTotalBytes: figureOf(row.disk_total_bytes),
    clockOffsetMs: figureOf(row.clock_offset_ms),
    formerClockOffsetMs: figureOf(row.former_clock_offset_ms),
  };
  const subject = { name: row.hostname, hostId: row.id, hostName: row.hostname, instanceId: null };
  const about = evaluationsOf(row.id, subject);
  return [
    about('host_down', evaluateHost(rules.host_down, figures, now)),
    about('agent_outdated', evaluateAgent(rules.agent_outdated, figures, ownVersion)),
    about('clock_wrong', evaluateClock(rules.clock_wrong, figures)),
    about('disk_full', evaluateDisk(rules.disk_full, figures)),
  ];
}

const figureOf = (value: string | number | null) => (value === null ? null : Number(value));

const evaluationsOf =
  (subjectId: string, subject: Subject) =>
  (kind: AlertKind, verdict: Evaluated<Subject>['verdict']): Evaluated<Subject> => ({
    kind,
    subjectId,
    subject,
    verdict,
  });

/** Both tables are limited to the licenses: otherwise PostgreSQL would read every license's hosts for the join. */
function instancesOf(em: EntityManager, licenseIds: string): Promise<InstanceRow[]> {
  return em.execute<InstanceRow[]>(
    `select instance.license_id, instance.id, instance.name, host_id, hostname, state,
       extract(epoch from state_at)::float8 * 1000 as state_ms,
       extract(epoch from crashed_at)::float8 * 1000 as crashed_ms,
       extract(epoch from crash_told_at)::float8 * 1000 as crash_reported_ms
     from game_instance as instance join agent_host as host on host.id = instance.host_id
     where instance.license_id = any(?::uuid[]) and host.license_id = any(?::uuid[]) order by instance.id`,
    [licenseIds, licenseIds],
  );
}

function evaluateInstanceRow(
  row: InstanceRow,
  buckets: readonly Bucket[],
  { rules, lastEvaluatedMs, playersBefore, reportedCrashes }: Known,
  { lastAt }: Clock,
): Evaluated<Subject>[] {
  const subject = { name: row.name, hostId: row.host_id, hostName: row.hostname, instanceId: row.id };
  const about = evaluationsOf(row.id, subject);
  const before = playersBefore.get(row.id) ?? null;
  const isNews = row.crash_reported_ms !== null && row.crash_reported_ms > lastEvaluatedMs - overlapMs;
  const crashedAt = !isNews || row.crashed_ms === reportedCrashes.get(row.id) ? null : row.crashed_ms;
  const states = { state: row.state, stateAt: row.state_ms, crashedAt };
  return [
    about('population_drop', evaluatePopulation(rules.population_drop, buckets, lastAt, before)),
    about('instance_crashed', evaluateState(states)),
    about('low_fps', evaluateFps(rules.low_fps, buckets, lastAt)),
  ];
}

const maxWindow = (licenses: readonly Known[]) =>
  Math.max(
    ...licenses.flatMap(({ rules }) => [rules.population_drop.window_minutes, rules.low_fps.window_minutes]),
  );

/** Returns the buckets by instance, summed over all maps. */
async function bucketsOf(
  em: EntityManager,
  licenseIds: string,
  { minutes, lastAt }: { minutes: number; lastAt: number },
): Promise<Map<string, Bucket[]>> {
  const rows = await em.execute<BucketRow[]>(
    `select instance.id as instance_id, extract(epoch from bucket_at)::float8 * 1000 as at_ms,
       players_sum, players_samples, fps_sum, fps_samples
     from game_instance as instance cross join lateral (
       select bucket_at, sum(players_sum) as players_sum, sum(players_samples) as players_samples,
         sum(fps_sum) as fps_sum, sum(fps_samples) as fps_samples
       from instance_stats_5m as stats
       where stats.license_id = instance.license_id and stats.instance_id = instance.id
         and bucket_at >= to_timestamp(?) - make_interval(mins => ?) and bucket_at <= to_timestamp(?)
       group by bucket_at
     ) as bucket
     where instance.license_id = any(?::uuid[])`,
    [lastAt / 1000, minutes, lastAt / 1000, licenseIds],
  );
  const byInstance = new Map<string, Bucket[]>();
  for (const row of rows) {
    const bucket = {
      at: row.at_ms,
      playersSum: Number(row.players_sum),
      playersSamples: Number(row.players_samples),
      fpsSum: row.fps_sum,
      fpsSamples: Number(row.fps_samples),
    };
    const own = byInstance.get(row.instance_id);
    if (own === undefined) byInstance.set(row.instance_id, [bucket]);
    else own.push(bucket);
  }
  return byInstance;
}
