// Records hosts that go offline and game servers that crash, with one event for each outage.
import type { EntityManager } from '../../database/connection.ts';
import { recordEvents } from '../../events/record.ts';

/** Maximum instances that one event names. */
const maxNamed = 100;

interface OfflineHost {
  id: string;
  license_id: string;
  hostname: string;
  instances: { id: string; name: string }[];
}

/** Selects hosts by an SQL condition on `agent_host`. */
interface Which {
  condition: string;
  values: (string | number)[];
  /** The longest silent hosts come first. */
  maxHosts: number;
}

/** Maximum instances that one transaction takes offline, unless a single host has more. */
const maxInstances = 5_000;

/**
 * Takes matching online hosts and their instances offline, and returns the hosts' ids. Skips hosts with a row that
 * another transaction has locked; the next call handles these hosts.
 */
export function takeHostsOffline(em: EntityManager, which: Which): Promise<string[]> {
  return takeOffline(em, 'host_silent', which, 'skip locked');
}

/** Takes one online host and its instances offline. Waits for locked rows, because no later call would handle them. */
export async function takeHostOffline(em: EntityManager, hostId: string): Promise<void> {
  // A separate statement: the one below must not count an instance that was deleted while it waited for the lock.
  await em.execute('select from game_instance where host_id = ? order by id for no key update', [hostId]);
  await takeOffline(em, 'host_goodbye', { condition: 'id = ?', values: [hostId], maxHosts: 1 }, '');
}

async function takeOffline(
  em: EntityManager,
  reason: 'host_goodbye' | 'host_silent',
  { condition, values, maxHosts }: Which,
  waiting: 'skip locked' | '',
): Promise<string[]> {
  const hosts = await em.execute<OfflineHost[]>(
    `with candidate as (
       select id from agent_host where status = 'online' and ${condition}
       order by last_heartbeat_at limit ? for no key update ${waiting}
     ), held as (
       select id, host_id, name, state from game_instance where host_id in (select id from candidate)
       order by id for no key update ${waiting}
     ), free as (
       select id, instances, sum(instances) over (order by id) as total from (
         select id, (select count(*) from held where host_id = candidate.id) as instances from candidate
       ) as counted
       where instances = (select count(*) from game_instance where host_id = counted.id)
     ), host as (
       update agent_host set status = 'offline' from free
       where agent_host.id = free.id and (total <= ${maxInstances} or total = instances)
       returning agent_host.id, agent_host.license_id, agent_host.hostname
     ), instance as (
       update game_instance set state = 'offline', down_since = null from host where host_id = host.id
       returning game_instance.license_id, game_instance.id
     ), connection as (
       update server_connection set is_connected = false from instance
       where server_connection.license_id = instance.license_id and server_connection.instance_id = instance.id
     )
     select id, license_id, hostname, (
       select coalesce(json_agg(json_build_object('id', running.id, 'name', running.name)), '[]') from (
         select id, name from held where host_id = host.id and state in ('starting', 'running')
         order by name limit ?
       ) as running
     ) as instances from host`,
    [...values, maxHosts, maxNamed],
  );
  await recordEvents(
    em,
    'host.offline',
    hosts.map(({ id, license_id: licenseId, hostname, instances }) => ({
      licenseId,
      subject: id,
      hostId: id,
      data: { hostname, reason, instances },
    })),
  );
  return hosts.map(({ id }) => id);
}

/**
 * Records that an instance has crashed. The event `instance.crashed` follows from `down_since`: it is recorded unless
 * the instance has neither run nor been stopped since the last one.
 */
export async function recordCrash(
  em: EntityManager,
  hostId: string,
  { instance: name, at }: { instance: string; at: string },
): Promise<void> {
  // Recorded even if the instance has restarted since.
  await em.execute(
    `update game_instance set crashed_at = least(?::timestamptz, now()), crash_told_at = now()
     where host_id = ? and name = ? and (crashed_at is null or crashed_at < ?::timestamptz(3))`,
    [at, hostId, name, at],
  );
  await em.execute(
    `update game_instance set down_since = now()
     where host_id = ? and name = ? and state = 'crashed' and down_since is null`,
    [hostId, name],
  );
}
