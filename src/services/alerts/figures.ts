// Reads the figures of a license's hosts and instances and judges them by its rules.
import type { EntityManager } from '../../database/connection.ts';
import type { Judged } from './deciding.ts';
import {
  judgeAgent,
  judgeDisk,
  judgeFps,
  judgeHost,
  judgePopulation,
  judgeState,
  type Bucket,
  type HostFigures,
} from './judging.ts';
import type { AlertKind, AlertRules } from './rules.ts';

/** A host, or a game instance of it. */
export interface Subject {
  name: string;
  hostId: string;
  hostName: string;
  instanceId: string | null;
}

interface HostRow {
  id: string;
  hostname: string;
  is_online: boolean;
  last_heartbeat_ms: number | null;
  agent_version: string;
  disk_used_bytes: string | number | null;
  disk_total_bytes: string | number | null;
}

interface InstanceRow {
  id: string;
  name: string;
  host_id: string;
  hostname: string;
  state: string;
  state_ms: number | null;
  crashed_ms: number | null;
}

interface BucketRow {
  instance_id: string;
  at_ms: number;
  players_sum: string | number;
  players_samples: string | number;
  fps_sum: number;
  fps_samples: string | number;
}

export interface Known {
  /** Of the agent which comes with the platform. */
  ownVersion: string;
  /** When it was last looked, as PostgreSQL writes it. */
  lookedAt: string;
  /** Of instances with an open alert of a drop: how many players there had been. */
  playersBefore: ReadonlyMap<string, number>;
  /** Of instances with a standing alert of a crash: when the crash was that it tells of. */
  crashesTold: ReadonlyMap<string, number>;
}

/** What was told of a crash while the last look was under way may not have been seen by it. */
const overlapSeconds = 60;

/** Everything that the rules which are turned on ask about, judged by the clock of the database. */
export async function judgeAll(
  em: EntityManager,
  rules: AlertRules,
  { ownVersion, ...known }: Known,
): Promise<Judged<Subject>[]> {
  const [clock] = await em.execute<{ now_ms: number; last_ms: number }[]>(
    `select extract(epoch from now())::float8 * 1000 as now_ms,
       extract(epoch from date_bin('5 minutes', now(), 'epoch') - interval '5 minutes')::float8 * 1000 as last_ms`,
  );
  if (clock === undefined) throw new Error('the database has told no time');
  const judged = [
    ...(await judgeHosts(em, rules, { now: clock.now_ms, ownVersion })),
    ...(await judgeInstances(em, rules, { lastAt: clock.last_ms, ...known })),
  ];
  return judged.filter(({ kind }) => rules[kind].is_enabled);
}

async function judgeHosts(
  em: EntityManager,
  rules: AlertRules,
  { now, ownVersion }: { now: number; ownVersion: string },
): Promise<Judged<Subject>[]> {
  const hosts = await em.execute<HostRow[]>(
    `select id, hostname, status = 'online' as is_online,
       extract(epoch from last_heartbeat_at)::float8 * 1000 as last_heartbeat_ms,
       agent_version, disk_used_bytes, disk_total_bytes
     from agent_host order by id`,
  );
  return hosts.flatMap((row) => {
    const figures: HostFigures = {
      isOnline: row.is_online,
      lastHeartbeatAt: row.last_heartbeat_ms,
      agentVersion: row.agent_version,
      diskUsedBytes: row.disk_used_bytes === null ? null : Number(row.disk_used_bytes),
      diskTotalBytes: row.disk_total_bytes === null ? null : Number(row.disk_total_bytes),
    };
    const subject = { name: row.hostname, hostId: row.id, hostName: row.hostname, instanceId: null };
    const about = judgementsOf(row.id, subject);
    return [
      about('host_down', judgeHost(rules.host_down, figures, now)),
      about('agent_outdated', judgeAgent(rules.agent_outdated, figures, ownVersion)),
      about('disk_full', judgeDisk(rules.disk_full, figures)),
    ];
  });
}

const judgementsOf =
  (subjectId: string, subject: Subject) =>
  (kind: AlertKind, verdict: Judged<Subject>['verdict']): Judged<Subject> => ({
    kind,
    subjectId,
    subject,
    verdict,
  });

async function judgeInstances(
  em: EntityManager,
  rules: AlertRules,
  { lastAt, lookedAt, playersBefore, crashesTold }: Omit<Known, 'ownVersion'> & { lastAt: number },
): Promise<Judged<Subject>[]> {
  const instances = await em.execute<InstanceRow[]>(
    `select instance.id, instance.name, host_id, hostname, state,
       extract(epoch from state_at)::float8 * 1000 as state_ms,
       case when crash_told_at > ?::timestamptz - make_interval(secs => ?)
         then extract(epoch from crashed_at)::float8 * 1000 end as crashed_ms
     from game_instance as instance join agent_host as host on host.id = instance.host_id order by instance.id`,
    [lookedAt, overlapSeconds],
  );
  const buckets = await bucketsOf(em, rules, lastAt);
  return instances.flatMap((row) => {
    const own = buckets.get(row.id) ?? [];
    const subject = { name: row.name, hostId: row.host_id, hostName: row.hostname, instanceId: row.id };
    const about = judgementsOf(row.id, subject);
    const before = playersBefore.get(row.id) ?? null;
    const crashedAt = row.crashed_ms === crashesTold.get(row.id) ? null : row.crashed_ms;
    const states = { state: row.state, stateAt: row.state_ms, crashedAt };
    return [
      about('population_drop', judgePopulation(rules.population_drop, own, lastAt, before)),
      about('instance_crashed', judgeState(states)),
      about('low_fps', judgeFps(rules.low_fps, own, lastAt)),
    ];
  });
}

/** As far back as the rules look, by instance; whatever the map was. */
async function bucketsOf(
  em: EntityManager,
  { population_drop: drop, low_fps: fps }: AlertRules,
  lastAt: number,
): Promise<Map<string, Bucket[]>> {
  const minutes = Math.max(drop.window_minutes, fps.window_minutes);
  const rows = await em.execute<BucketRow[]>(
    `select instance_id, extract(epoch from bucket_at)::float8 * 1000 as at_ms,
       sum(players_sum) as players_sum, sum(players_samples) as players_samples,
       sum(fps_sum) as fps_sum, sum(fps_samples) as fps_samples
     from instance_stats_5m
     where bucket_at >= to_timestamp(?) - make_interval(mins => ?) and bucket_at <= to_timestamp(?)
     group by instance_id, bucket_at`,
    [lastAt / 1000, minutes, lastAt / 1000],
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
