// Writes a batch of heartbeats with one statement: hosts, instances, stats and the older connection records.
import type pg from 'pg';
import type { BusSchemas } from '../messages.ts';

export interface ReceivedHeartbeat {
  hostId: string;
  beat: BusSchemas['Heartbeat'];
  receivedAt: Date;
}

/**
 * Stores them and answers how many hosts took their heartbeat. Hosts that are unknown, of a revoked license, or have
 * told something newer already take nothing. Of several heartbeats of one host in a batch the newest counts.
 */
export async function storeHeartbeats(pool: Pick<pg.Pool, 'query'>, batch: readonly ReceivedHeartbeat[]): Promise<number> {
  const newest = newestOfEachHost(batch);
  const { rows } = await pool.query<{ stored: number }>({
    name: 'store-heartbeats',
    text: statement,
    values: [...columnsOfHosts(newest), ...columnsOfInstances(newest)],
  });
  return (rows[0]?.stored ?? 0) + (batch.length - newest.length);
}

/** In the order of the host ids, so that two replicas never wait for each other's rows. */
function newestOfEachHost(batch: readonly ReceivedHeartbeat[]): ReceivedHeartbeat[] {
  const newest = new Map<string, ReceivedHeartbeat>();
  for (const item of batch) newest.set(item.hostId, item);
  return [...newest.values()].sort((a, b) => (a.hostId < b.hostId ? -1 : 1));
}

function columnsOfHosts(batch: readonly ReceivedHeartbeat[]): unknown[][] {
  return [
    batch.map(({ hostId }) => hostId),
    batch.map(({ beat }) => beat.boot),
    batch.map(({ beat }) => beat.seq),
    batch.map(({ beat }) => beat.agent_version),
    batch.map(({ beat }) => beat.host.cpu_percent),
    batch.map(({ beat }) => beat.host.memory_used_bytes),
    batch.map(({ beat }) => beat.host.memory_total_bytes),
    batch.map(({ beat }) => beat.host.disk_used_bytes),
    batch.map(({ beat }) => beat.host.disk_total_bytes),
    batch.map(({ receivedAt }) => receivedAt.toISOString()),
    batch.map(({ beat }) => beat.sent_at),
  ];
}

function columnsOfInstances(batch: readonly ReceivedHeartbeat[]): unknown[][] {
  const reports = batch.flatMap(({ hostId, beat }) => uniqueByName(beat.instances).map((report) => ({ hostId, report })));
  return [
    reports.map(({ hostId }) => hostId),
    reports.map(({ report }) => report.name),
    reports.map(({ report }) => report.game ?? null),
    reports.map(({ report }) => report.state),
    reports.map(({ report }) => report.uptime_seconds),
    reports.map(({ report }) => report.players ?? null),
    reports.map(({ report }) => report.max_players ?? null),
    reports.map(({ report }) => report.fps ?? null),
    reports.map(({ report }) => report.entities ?? null),
    reports.map(({ report }) => report.map ?? null),
    reports.map(({ report }) => report.cpu_percent ?? null),
    reports.map(({ report }) => report.memory_bytes ?? null),
  ];
}

function uniqueByName(reports: BusSchemas['InstanceReport'][]): BusSchemas['InstanceReport'][] {
  return [...new Map(reports.map((report) => [report.name, report])).values()];
}

const statement = `
with beat as (
  select * from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::text[], $5::float8[], $6::bigint[], $7::bigint[],
    $8::bigint[], $9::bigint[], $10::timestamptz[], $11::timestamptz[])
  as beat(host_id, boot_id, seq, agent_version, cpu_percent, memory_used_bytes, memory_total_bytes, disk_used_bytes,
    disk_total_bytes, received_at, sent_at)
), locked as (
  select host.id from agent_host host join beat on beat.host_id = host.id order by host.id for no key update of host
), host as (
  update agent_host host set
    status = 'online',
    boot_id = beat.boot_id,
    heartbeat_seq = beat.seq,
    agent_version = beat.agent_version,
    cpu_percent = beat.cpu_percent,
    memory_used_bytes = beat.memory_used_bytes,
    memory_total_bytes = beat.memory_total_bytes,
    disk_used_bytes = beat.disk_used_bytes,
    disk_total_bytes = beat.disk_total_bytes,
    last_heartbeat_at = beat.received_at
  from beat, locked, license
  where host.id = beat.host_id and locked.id = host.id and license.id = host.license_id and license.status = 'active'
    and (host.boot_id is distinct from beat.boot_id or beat.seq > host.heartbeat_seq)
  returning host.id, host.license_id, host.hostname, host.agent_version, beat.received_at,
    least(beat.sent_at, beat.received_at) as sent_at
), report as (
  select report.*, host.license_id, host.hostname, host.agent_version, host.received_at, host.sent_at
  from unnest($12::uuid[], $13::text[], $14::text[], $15::text[], $16::bigint[], $17::integer[], $18::integer[],
    $19::float8[], $20::integer[], $21::text[], $22::float8[], $23::bigint[])
  as report(host_id, name, game, state, uptime_seconds, players, max_players, fps, entities, map, cpu_percent, memory_bytes)
  join host on host.id = report.host_id
), instance as (
  insert into game_instance as known (license_id, host_id, name, game, state, state_at, uptime_seconds, players,
    max_players, fps, entities, map, cpu_percent, memory_bytes, last_seen_at)
  select license_id, host_id, name, game, state, sent_at, uptime_seconds, players, max_players, fps, entities, map,
    cpu_percent, memory_bytes, received_at
  from report
  on conflict (host_id, name) do update set
    game = coalesce(excluded.game, known.game),
    state = case when known.state_at > excluded.state_at then known.state else excluded.state end,
    state_at = greatest(known.state_at, excluded.state_at),
    uptime_seconds = excluded.uptime_seconds,
    players = excluded.players,
    max_players = excluded.max_players,
    fps = excluded.fps,
    entities = excluded.entities,
    map = excluded.map,
    cpu_percent = excluded.cpu_percent,
    memory_bytes = excluded.memory_bytes,
    last_seen_at = excluded.last_seen_at
  returning known.id, known.host_id, known.name
), stats as (
  insert into instance_stats (license_id, instance_id, recorded_at, state, uptime_seconds, players, max_players, fps,
    entities, map, cpu_percent, memory_bytes)
  select report.license_id, instance.id, report.received_at, report.state, report.uptime_seconds, report.players,
    report.max_players, report.fps, report.entities, report.map, report.cpu_percent, report.memory_bytes
  from report join instance on instance.host_id = report.host_id and instance.name = report.name
  on conflict do nothing
), connection as (
  insert into server_connection (license_id, instance_id, hostname, server_name, is_connected, agent_version, last_heartbeat_at)
  select report.license_id, instance.id, report.hostname, report.name, true, report.agent_version, report.received_at
  from report join instance on instance.host_id = report.host_id and instance.name = report.name
  on conflict (license_id, instance_id) do update set
    hostname = excluded.hostname,
    is_connected = true,
    agent_version = excluded.agent_version,
    last_heartbeat_at = excluded.last_heartbeat_at
)
select count(*)::int as stored from host`;
