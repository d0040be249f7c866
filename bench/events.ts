// (g) Player events from plugins over HTTP, compared with the same multi-row inserts alone: see `insert`.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { storeStatement, type CheckedEvent } from '../src/services/plugin-events/insert-events.ts';
import { startChild, type Child } from './support/child.ts';
import { openEnvironment } from './support/environment.ts';
import { printComparison } from './support/figures.ts';

const rounds = 5;
const batch = 500;
const batchesPerRound = 40;
/** Each has a game server that sends events at the same time as the others. */
const licenses = 4;
const players = 5_000;

interface Server {
  licenseId: string;
  key: string;
  instanceId: string;
}

const environment = await openEnvironment();
const settings = JSON.parse(environment.settings) as object;
const pool = new pg.Pool({ connectionString: environment.databaseUrl, max: licenses });
let platform: Child | undefined;
try {
  platform = await startChild('servers/platform.ts', { ...settings, roles: ['api'] });
  const { url } = platform.ready;
  const [reported, inserted] = [await createServers('t'), await createServers('i')];
  await measure(reported, (server, events) => report(url, server, events));
  await measure(inserted, insert);
  const [ours, theirs]: number[][] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    ours?.push(await measure(reported, (server, events) => report(url, server, events)));
    theirs?.push(await measure(inserted, insert));
  }
  printComparison({
    name: `Events of players, ${batch} in a request, ${licenses} servers at once`,
    baseline: `the same statement in ${licenses} loops, a connection each`,
    unit: 'events/s',
    ours: ours ?? [],
    theirs: theirs ?? [],
    aim: '≥ 0.5',
  });
} finally {
  await pool.end();
  await platform?.stop();
  await environment.stop();
}

async function createServers(prefix: string): Promise<Server[]> {
  const { rows } = await pool.query<Server>(
    `with license as (
       insert into license (key, name, subdomain, companion_token_hash)
       select $1 || n, $1 || n, $1 || n, $1 || n from generate_series(1, $2) n returning id, key
     ), host as (
       insert into agent_host (license_id, hostname, platform, agent_version, bus_public_key)
       select id, 'host', 'linux-x64', '1', key from license returning id, license_id
     ), instance as (
       insert into game_instance (license_id, host_id, name)
       select license_id, id, 'main' from host returning id, license_id
     )
     select license.id as "licenseId", key, instance.id as "instanceId"
     from license join instance on instance.license_id = license.id`,
    [prefix, licenses],
  );
  return rows;
}

/** Events per second. Requests are prepared before the clock runs. */
async function measure(
  servers: readonly Server[],
  send: (server: Server, events: CheckedEvent[]) => () => Promise<void>,
): Promise<number> {
  const work = servers.map((server) =>
    Array.from({ length: batchesPerRound / licenses }, () => send(server, createEvents(server))),
  );
  const started = performance.now();
  await Promise.all(
    work.map(async (batches) => {
      for (const sendOne of batches) await sendOne();
    }),
  );
  return (batchesPerRound * batch) / ((performance.now() - started) / 1000);
}

function createEvents({ instanceId }: Server): CheckedEvent[] {
  const now = Date.now();
  return Array.from({ length: batch }, (_, index) => ({
    event_id: randomUUID(),
    occurred_at: new Date(now - batch + index).toISOString(),
    instance_id: instanceId,
    steam_id: String(76561197960300000n + BigInt(Math.floor(Math.random() * players))),
    kind: index % 2 === 0 ? 'join' : 'leave',
    display_name: 'Aster',
  }));
}

function report(url: string, { key }: Server, events: readonly CheckedEvent[]): () => Promise<void> {
  const body = JSON.stringify({
    events: events.map(({ kind, instance_id, ...event }) => ({
      ...event,
      instance: instance_id,
      event: kind,
    })),
  });
  const headers = { 'content-type': 'application/json', 'x-license-key': key };
  return async () => {
    const response = await fetch(`${url}/api/plugin/player-events`, { method: 'POST', headers, body });
    const reply = await response.text();
    if (!reply.includes(`"taken":${batch}`)) throw new Error(reply);
  };
}

/**
 * The baseline: the platform's own insert statements into the four event tables, with their indexes and
 * conflict clauses; with equal batch sizes and concurrency, each server on a connection of its own. It has no
 * HTTP, no validation, no tenant role, no count of new players and no search for commands. Plain inserts of
 * the same rows, one statement for each table, are as fast; a single connection for all servers reaches less
 * than half and would be no fair comparison for concurrent requests.
 */
function insert({ licenseId }: Server, events: readonly CheckedEvent[]): () => Promise<void> {
  const values = [JSON.stringify(events)];
  return async () => {
    const client = await pool.connect();
    try {
      await client.query(`begin; select set_config('app.license_id', '${licenseId}', true)`);
      await client.query({ name: 'events', text: storeStatement, values });
      await client.query('commit');
    } finally {
      client.release();
    }
  };
}
