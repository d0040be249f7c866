// (b) Heartbeats of five instances, from the bus into PostgreSQL, compared with a loop of the same statement;
// (c) the platform's memory at rest and afterwards.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { PlayedMaps } from '../src/ingest/played-maps.ts';
import { storeHeartbeats } from '../src/ingest/write-heartbeats.ts';
import { Children, type Child } from './support/child.ts';
import { openEnvironment } from './support/environment.ts';
import { printComparison } from './support/figures.ts';
import { heartbeatOf } from './support/heartbeats.ts';

/** One heartbeat each: when several wait, only a host's newest is kept. */
const hosts = 10_000;
/** Few enough that the budget of a license admits all its hosts at once. */
const hostsOfLicense = 10;
const rounds = 3;
const patienceMs = 60_000;
const batch = 500;
const directBoot = randomUUID();
let directSeq = 0;
const maps = new PlayedMaps();

const environment = await openEnvironment();
const settings = JSON.parse(environment.settings) as object;
const children = new Children();
const pool = new pg.Pool({
  connectionString: environment.databaseUrl,
  max: 2,
  pipeline: true,
});
try {
  const platform = await children.start('servers/platform.ts', { ...settings, roles: ['api', 'ingest'] });
  const [overBus, direct] = [await enroll('bus'), await enroll('direct')];
  const publisher = await children.start('servers/publisher.ts', settings);
  const atRest = await memoryOf(platform);

  const ours: number[] = [];
  const theirs: number[] = [];
  await measureBus(platform, publisher, overBus);
  await measureStatement(direct);
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await measureBus(platform, publisher, overBus));
    theirs.push(await measureStatement(direct));
  }
  printComparison({
    name: `heartbeats of 5 instances, ${hosts} hosts a round`,
    baseline: `the same statement in a loop, batches of ${batch}`,
    unit: 'heartbeats/s',
    ours,
    theirs,
    aim: '≥ 0.5, goal 0.8',
  });
  const megabytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MB`;
  console.log(`\nmemory of the platform process (resident)`);
  console.log(`  at rest    ${megabytes(atRest)}`);
  console.log(
    `  after      ${megabytes(await memoryOf(platform))}, after ${(rounds + 1) * hosts} heartbeats`,
  );
} finally {
  await children.stop();
  await pool.end();
  await environment.stop();
}

async function memoryOf(child: Child): Promise<number> {
  return (await child.ask<{ rss: number }>('memory')).rss;
}

async function enroll(name: string): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `with license as (
       insert into license (key, name, subdomain, companion_token_hash)
       select label, label, label, label from generate_series(1, $2) n, lateral (select $1 || n as label) returning id, key
     )
     insert into agent_host (license_id, hostname, platform, agent_version, bus_public_key)
     select license.id, 'host-' || n, 'linux-x64', '1', key || '-' || n
     from license, generate_series(1, $3) n returning id`,
    [name, hosts / hostsOfLicense, hostsOfLicense],
  );
  return rows.map(({ id }) => id);
}

async function measureBus(platform: Child, publisher: Child, hostIds: string[]): Promise<number> {
  const goal = (await takenBy(platform)) + hosts;
  const started = performance.now();
  await publisher.ask({ hostIds });
  while ((await takenBy(platform)) < goal) {
    if (performance.now() - started > patienceMs) throw new Error('heartbeats were lost');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return rate(started);
}

async function takenBy(platform: Child): Promise<number> {
  const text = await (await fetch(`${platform.ready.url}/metrics`)).text();
  return Number(/gantry_bus_messages_total\{kind="heartbeat",outcome="taken"\} (\d+)/.exec(text)?.[1] ?? 0);
}

async function measureStatement(hostIds: string[]): Promise<number> {
  const started = performance.now();
  const beat = heartbeatOf(directBoot, ++directSeq);
  for (let at = 0; at < hostIds.length; at += batch) {
    const receivedAt = new Date();
    await storeHeartbeats(
      pool,
      hostIds.slice(at, at + batch).map((hostId) => ({ hostId, beat, receivedAt })),
      maps,
    );
  }
  return rate(started);
}

function rate(started: number): number {
  return hosts / ((performance.now() - started) / 1000);
}
