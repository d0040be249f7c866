// Many hosts that report: their rows, a heartbeat of each in every interval, and what the platform has counted of them.
import type { Pool } from 'pg';
import type { Child } from './child.ts';

const hostsOfLicense = 100;

/** Hosts of one license do not follow each other, so that they do not report at the same moment. */
export async function enrollHosts(pool: Pool, hosts: number): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `with license as (
       insert into license (key, name, subdomain, companion_token_hash)
       select label, label, label, label from generate_series(1, $1) n, lateral (select 'reporting' || n as label) returning id, key
     )
     insert into agent_host (license_id, hostname, platform, agent_version, bus_public_key)
     select license.id, 'host-' || n, 'linux-x64', '1', key || '-' || n
     from license, generate_series(1, $2) n returning id`,
    [hosts / hostsOfLicense, hostsOfLicense],
  );
  return rows.map(({ id }) => id).toSorted((one, other) => (one.slice(-6) < other.slice(-6) ? -1 : 1));
}

interface Reporting {
  intervalSeconds: number;
  /** The hosts that report; a later call may return fewer. */
  ids: () => string[];
  isOver: () => boolean;
}

/** Every host once in each interval, a part of them in each second, with one server each. Returns how many were sent. */
export async function report(publisher: Child, { intervalSeconds, ids, isOver }: Reporting): Promise<number> {
  const begun = performance.now();
  let sent = 0;
  for (let second = 0; !isOver(); second += 1) {
    const all = ids();
    const size = Math.ceil(all.length / intervalSeconds);
    const part = second % intervalSeconds;
    const hostIds = all.slice(part * size, (part + 1) * size);
    await publisher.ask({ hostIds, instances: 1 });
    sent += hostIds.length;
    await pause(Math.max(begun + (second + 1) * 1_000 - performance.now(), 0));
  }
  return sent;
}

export interface HeartbeatCounts {
  waiting: number;
  taken: number;
  dropped: number;
}

export async function heartbeatCounts(platform: Child): Promise<HeartbeatCounts> {
  const text = await (await fetch(`${platform.ready.url}/metrics`)).text();
  const value = (pattern: string) => Number(new RegExp(`^${pattern} (\\d+)`, 'm').exec(text)?.[1] ?? 0);
  const counted = (outcome: string) =>
    value(`gantry_bus_messages_total\\{kind="heartbeat",outcome="${outcome}"\\}`);
  return {
    waiting: value('gantry_heartbeats_waiting'),
    taken: counted('taken'),
    dropped: counted('dropped') + counted('failed') + counted('refused'),
  };
}

export async function hostsWith(pool: Pool, condition: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from agent_host where hostname like 'host-%' and ${condition}`,
  );
  return rows[0]?.count ?? 0;
}

/** Events of hosts that went offline. */
export async function outagesSoFar(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from event_log where type = 'host.offline'`,
  );
  return rows[0]?.count ?? 0;
}

export async function until(holds: () => Promise<boolean>, seconds: number): Promise<void> {
  const begun = performance.now();
  while (!(await holds())) {
    if (secondsSince(begun) > seconds) throw new Error(`not within ${seconds} seconds`);
    await pause(250);
  }
}

export function secondsSince(begun: number): number {
  return (performance.now() - begun) / 1_000;
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
