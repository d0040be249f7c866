// Writes a batch of heartbeats with a handful of multi-row statements: hosts, instances, stats, connection records.
import type pg from 'pg';
import { hasRoom, minSilenceSeconds } from '../services/agents/report-limits.ts';
import { withoutPacked } from './packed-heartbeats.ts';
import type { PlayedMaps } from './played-maps.ts';
import {
  reportColumns,
  reportValues,
  sentTime,
  stateTime,
  unnest,
  type ReceivedHeartbeat,
  type Report,
  type Stored,
  type TakenHost,
} from './reports.ts';
import { insertStats } from './write-stats.ts';

/**
 * Stores the batch in one transaction, pipelines independent statements, and returns how many heartbeats were stored.
 * Skips hosts that are unknown, belong to a revoked license or already have a newer heartbeat, and agent boots that
 * have said goodbye or were followed by another boot. A batch may hold several heartbeats of a host, in order: the
 * newest one sets the current state, and all of them count for the stats of known instances.
 */
export async function storeHeartbeats(
  pool: pg.Pool,
  batch: readonly ReceivedHeartbeat[],
  maps: PlayedMaps,
): Promise<number> {
  const newest = newestOfEachHost(batch);
  const client = await pool.connect();
  try {
    const [, , taken] = await Promise.all([
      client.query('begin'),
      lockHosts(client, newest),
      updateHosts(client, newest),
    ]);
    const reports = reportsOf(newest, taken);
    const reported = reportsOf(batch, taken);
    if (reported.length > 0) {
      const isCaughtUp = batch.length === newest.length;
      const [stored, found, known] = await Promise.all([
        upsertInstances(client, reports),
        maps.find(client, reported),
        isCaughtUp ? [] : findInstances(client, reported),
      ]);
      const counted = await withoutPacked(client, isCaughtUp ? stored : withIds(reported, known));
      await Promise.all([
        insertStats(client, counted, found),
        upsertConnections(client, stored),
        client.query('commit'),
      ]);
      maps.remember(found);
    } else await client.query('commit');
    client.release();
    return taken.length + (batch.length - newest.length);
  } catch (error) {
    await client.query('rollback').then(
      () => client.release(),
      () => client.release(true),
    );
    throw error;
  }
}

/** Records that these hosts were heard from now, if they are online. Locks them in the order of `lockHosts`. */
export async function recordAlive(pool: pg.Pool, hostIds: readonly string[]): Promise<void> {
  await pool.query({
    name: 'heartbeat-alive',
    text: `
      with alive as (
        select id from agent_host where id = any($1::uuid[]) and status = 'online' order by id for no key update
      )
      update agent_host set last_heartbeat_at = now() from alive where agent_host.id = alive.id`,
    values: [hostIds],
  });
}

function newestOfEachHost(batch: readonly ReceivedHeartbeat[]): ReceivedHeartbeat[] {
  const newest = new Map<string, ReceivedHeartbeat>();
  for (const item of batch) newest.set(item.hostId, item);
  return [...newest.values()];
}

function reportsOf(batch: readonly ReceivedHeartbeat[], taken: readonly TakenHost[]): Report[] {
  const hosts = new Map(taken.map((host) => [host.id, host]));
  return batch.flatMap((heartbeat) => {
    const host = hosts.get(heartbeat.hostId);
    if (host === undefined) return [];
    const byName = new Map(heartbeat.beat.instances.map((instance) => [instance.name, instance]));
    return [...byName.values()].map((instance) => ({ host, heartbeat, instance }));
  });
}

/** Always locks in the same order, so that two replicas cannot deadlock. */
async function lockHosts(client: pg.PoolClient, batch: readonly ReceivedHeartbeat[]): Promise<void> {
  await client.query({
    name: 'heartbeat-lock',
    text: 'select from agent_host where id = any($1::uuid[]) order by id for no key update',
    values: [batch.map(({ hostId }) => hostId)],
  });
}

const isHeardAgain = `host.last_heartbeat_at < now() - interval '${minSilenceSeconds} seconds'`;

async function updateHosts(client: pg.PoolClient, batch: readonly ReceivedHeartbeat[]): Promise<TakenHost[]> {
  const { rows } = await client.query<TakenHost>({
    name: 'heartbeat-hosts',
    text: `
      with beat as (
        select * from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::text[], $5::float8[], $6::bigint[], $7::bigint[],
          $8::bigint[], $9::bigint[], $10::timestamptz[], $11::bigint[])
        as beat(host_id, boot_id, seq, agent_version, cpu_percent, memory_used_bytes, memory_total_bytes,
          disk_used_bytes, disk_total_bytes, at, clock_offset_ms)
      )
      update agent_host as host set
        status = 'online',
        boot_id = beat.boot_id,
        boot_since = case when host.boot_id = beat.boot_id then host.boot_since else beat.at end,
        is_boot_over = false,
        heartbeat_seq = beat.seq,
        agent_version = beat.agent_version,
        cpu_percent = beat.cpu_percent,
        memory_used_bytes = beat.memory_used_bytes,
        memory_total_bytes = beat.memory_total_bytes,
        disk_used_bytes = beat.disk_used_bytes,
        disk_total_bytes = beat.disk_total_bytes,
        former_clock_offset_ms = host.clock_offset_ms,
        clock_offset_ms = beat.clock_offset_ms,
        silent_since = case when ${isHeardAgain} then host.last_heartbeat_at else host.silent_since end,
        heard_again_at = case when ${isHeardAgain} then now() else host.heard_again_at end,
        last_heartbeat_at = now()
      from beat, license
      where host.id = beat.host_id and license.id = host.license_id and license.status = 'active'
        and case when host.boot_id = beat.boot_id
          then not host.is_boot_over and beat.seq > coalesce(host.heartbeat_seq, 0)
          else host.boot_since is null or beat.at >= host.boot_since end
      returning host.id, host.license_id, host.hostname`,
    values: [
      batch.map(({ hostId }) => hostId),
      batch.map(({ beat }) => beat.boot),
      batch.map(({ beat }) => beat.seq),
      batch.map(({ beat }) => beat.agent_version),
      batch.map(({ beat }) => beat.host.cpu_percent),
      batch.map(({ beat }) => beat.host.memory_used_bytes),
      batch.map(({ beat }) => beat.host.memory_total_bytes),
      batch.map(({ beat }) => beat.host.disk_used_bytes),
      batch.map(({ beat }) => beat.host.disk_total_bytes),
      batch.map(sentTime),
      batch.map(({ clockOffsetMs }) => clockOffsetMs ?? null),
    ],
  });
  return rows;
}

interface KnownInstance {
  id: string;
  host_id: string;
  name: string;
}

/** Finds instances by the reports of all heartbeats: older ones can name others than the newest heartbeat. */
async function findInstances(client: pg.PoolClient, reported: readonly Report[]): Promise<KnownInstance[]> {
  const { rows } = await client.query<KnownInstance>({
    name: 'heartbeat-known-instances',
    text: `select id, host_id, name from game_instance where host_id = any($1::uuid[]) and name = any($2::text[])`,
    values: [
      [...new Set(reported.map(({ host }) => host.id))],
      [...new Set(reported.map(({ instance }) => instance.name))],
    ],
  });
  return rows;
}

function withIds(reports: readonly Report[], known: readonly KnownInstance[]): Stored[] {
  const ids = new Map(known.map(({ id, host_id, name }) => [`${host_id} ${name}`, id]));
  return reports.flatMap((report) => {
    const id = ids.get(`${report.host.id} ${report.instance.name}`);
    return id === undefined ? [] : [{ ...report, id }];
  });
}

/** The reports that have an instance, each with its id. New instances beyond a host's maximum are left out. */
async function upsertInstances(client: pg.PoolClient, reports: readonly Report[]): Promise<Stored[]> {
  const { rows } = await client.query<KnownInstance>({
    name: 'heartbeat-instances',
    text: `
      insert into game_instance as known (license_id, host_id, name, game, state_at, last_seen_at, capabilities, ${reportColumns})
      select license_id, host_id, name, game, state_at, last_seen_at, string_to_array(capabilities, ' '), ${reportColumns}
      from ${unnest('uuid[]', 'uuid[]', 'text[]', 'text[]', 'timestamptz[]', 'timestamptz[]', 'text[]')}
        as report(license_id, host_id, name, game, state_at, last_seen_at, capabilities, ${reportColumns})
      where ${hasRoom('report.host_id', 'report.name', 'report.state_at')}
      on conflict (host_id, name) do update set
        is_unconfirmed = false,
        game = coalesce(excluded.game, known.game),
        capabilities = excluded.capabilities,
        state = case when known.state <> 'offline' and known.state_at > excluded.state_at then known.state
          else excluded.state end,
        state_at = greatest(known.state_at, excluded.state_at),
        down_since = case when excluded.state not in ('running', 'stopped') or known.state_at > excluded.state_at
          then known.down_since end,
        uptime_seconds = excluded.uptime_seconds,
        players = excluded.players,
        max_players = excluded.max_players,
        queued = excluded.queued,
        fps = excluded.fps,
        entities = excluded.entities,
        map = excluded.map,
        cpu_percent = excluded.cpu_percent,
        memory_bytes = excluded.memory_bytes,
        last_seen_at = excluded.last_seen_at
      returning id, host_id, name`,
    values: [
      reports.map(({ host }) => host.license_id),
      reports.map(({ host }) => host.id),
      reports.map(({ instance }) => instance.name),
      reports.map(({ instance }) => instance.game ?? null),
      reports.map(({ heartbeat }) => stateTime(heartbeat)),
      reports.map(({ heartbeat }) => heartbeat.receivedAt.toISOString()),
      reports.map(({ instance }) => instance.capabilities?.join(' ') ?? null),
      ...reportValues(reports),
    ],
  });
  return withIds(reports, rows);
}

async function upsertConnections(client: pg.PoolClient, reports: readonly Stored[]): Promise<void> {
  await client.query({
    name: 'heartbeat-connections',
    text: `
      insert into server_connection (license_id, instance_id, hostname, server_name, is_connected, agent_version, last_heartbeat_at)
      select license_id, instance_id, hostname, server_name, true, agent_version, last_heartbeat_at
      from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::timestamptz[])
      as row(license_id, instance_id, hostname, server_name, agent_version, last_heartbeat_at)
      on conflict (license_id, instance_id) do update set
        hostname = excluded.hostname,
        is_connected = true,
        agent_version = excluded.agent_version,
        last_heartbeat_at = excluded.last_heartbeat_at`,
    values: [
      reports.map(({ host }) => host.license_id),
      reports.map(({ id }) => id),
      reports.map(({ host }) => host.hostname),
      reports.map(({ instance }) => instance.name),
      reports.map(({ heartbeat }) => heartbeat.beat.agent_version),
      reports.map(({ heartbeat }) => heartbeat.receivedAt.toISOString()),
    ],
  });
}
