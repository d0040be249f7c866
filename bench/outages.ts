// 20,000 hosts with a server each that report: a lock that holds their heartbeats up takes none of them offline, and a quarter that falls
// silent goes offline without delaying the rest.
import pg from 'pg';
import { Children, type Child } from './support/child.ts';
import { openEnvironment } from './support/environment.ts';

const hosts = 20_000;
const hostsOfLicense = 100;
const silentHosts = 5_000;
const heartbeatSeconds = Number(process.argv[2] ?? 30);
const lockSeconds = 25;
/** After this long without a heartbeat a host counts as silent. */
const staleSeconds = heartbeatSeconds * 3;
const maxRecoverySeconds = 30;

const environment = await openEnvironment();
const settings = JSON.parse(environment.settings) as object;
const pool = new pg.Pool({ connectionString: environment.databaseUrl, max: 3 });
const children = new Children();
let isOver = false;
try {
  const platform = await children.start('servers/platform.ts', {
    ...settings,
    roles: ['api', 'ingest'],
    heartbeatIntervalSeconds: heartbeatSeconds,
  });
  const publisher = await children.start('servers/publisher.ts', settings);
  const hostIds = await enroll();
  let beating = hostIds;
  const beats = beat(publisher, () => beating);
  await until(async () => (await countOf(`status = 'online'`)) === hosts, heartbeatSeconds * 12);
  console.log(
    `${hosts} hosts report every ${heartbeatSeconds} s: ${Math.round(hosts / heartbeatSeconds)} heartbeats/s`,
  );

  const before = await metricsOf(platform);
  await lockHosts();
  const released = performance.now();
  const waiting = (await metricsOf(platform)).waiting;
  await until(async () => (await metricsOf(platform)).waiting < hosts / heartbeatSeconds, staleSeconds * 2);
  const recoverySeconds = secondsSince(released);
  // Hosts that are wrongly taken for silent would go offline by then.
  await pause((staleSeconds + heartbeatSeconds) * 1_000);
  const after = await metricsOf(platform);
  const wrong = await outagesSoFar();
  print('a lock on all hosts', [
    `held for ${lockSeconds} s; ${waiting} heartbeats waited at its end, all were stored ${recoverySeconds.toFixed(1)} s later`,
    `dropped ${after.dropped - before.dropped} of ${after.taken + after.dropped - before.taken - before.dropped}`,
    `wrongly offline ${wrong}`,
  ]);

  beating = hostIds.slice(silentHosts);
  const quiet = performance.now();
  let maxWaiting = 0;
  await until(async () => {
    maxWaiting = Math.max(maxWaiting, (await metricsOf(platform)).waiting);
    return (await countOf(`status = 'offline'`)) >= silentHosts;
  }, staleSeconds * 4);
  const lastSeconds = secondsSince(quiet);
  await pause(heartbeatSeconds * 1_000);
  const offline = await countOf(`status = 'offline'`);
  print(`${silentHosts} hosts fall silent`, [
    `all offline ${lastSeconds.toFixed(1)} s later; each ${staleSeconds} s after its own last heartbeat, up to ${heartbeatSeconds} s before`,
    `${offline - silentHosts} of the others offline; at most ${maxWaiting} heartbeats waited`,
  ]);
  isOver = true;
  await beats;
  const dropped = after.dropped - before.dropped;
  if (wrong > 0 || offline !== silentHosts || dropped > 0 || recoverySeconds > maxRecoverySeconds) {
    console.log('missed its aim: none dropped, none wrongly offline, recovered within 30 s');
    process.exitCode = 1;
  }
} finally {
  isOver = true;
  await children.stop();
  await pool.end();
  await environment.stop();
}

async function enroll(): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `with license as (
       insert into license (key, name, subdomain, companion_token_hash)
       select label, label, label, label from generate_series(1, $1) n, lateral (select 'outages' || n as label) returning id, key
     )
     insert into agent_host (license_id, hostname, platform, agent_version, bus_public_key)
     select license.id, 'host-' || n, 'linux-x64', '1', key || '-' || n
     from license, generate_series(1, $2) n returning id`,
    [hosts / hostsOfLicense, hostsOfLicense],
  );
  // Hosts of one license do not report at the same moment.
  return rows.map(({ id }) => id).toSorted((one, other) => (one.slice(-6) < other.slice(-6) ? -1 : 1));
}

/** Every host once in each interval, a part of them in each second, as long as the benchmark runs. */
async function beat(publisher: Child, ids: () => string[]): Promise<void> {
  const begun = performance.now();
  for (let second = 0; !isOver; second += 1) {
    const all = ids();
    const size = Math.ceil(all.length / heartbeatSeconds);
    const part = second % heartbeatSeconds;
    await publisher.ask({ hostIds: all.slice(part * size, (part + 1) * size), instances: 1 });
    await pause(Math.max(begun + (second + 1) * 1_000 - performance.now(), 0));
  }
}

/** Heartbeats wait for it, as for a statement that changes all hosts. */
async function lockHosts(): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('lock table agent_host in exclusive mode');
    await pause(lockSeconds * 1_000);
    await client.query('commit');
  } finally {
    client.release();
  }
}

async function metricsOf(platform: Child): Promise<{ waiting: number; taken: number; dropped: number }> {
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

async function countOf(condition: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from agent_host where hostname like 'host-%' and ${condition}`,
  );
  return rows[0]?.count ?? 0;
}

async function outagesSoFar(): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from event_log where type = 'host.offline'`,
  );
  return rows[0]?.count ?? 0;
}

async function until(holds: () => Promise<boolean>, seconds: number): Promise<void> {
  const begun = performance.now();
  while (!(await holds())) {
    if (secondsSince(begun) > seconds) throw new Error(`not within ${seconds} seconds`);
    await pause(250);
  }
}

function secondsSince(begun: number): number {
  return (performance.now() - begun) / 1_000;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function print(name: string, lines: readonly string[]): void {
  console.log(`\n${name}\n${lines.map((line) => `  ${line}`).join('\n')}`);
}
