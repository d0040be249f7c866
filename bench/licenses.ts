// What grows with the number of licenses: figures of all of them, the public status and alert rounds, with 10 licenses and with 1,000
// that have as many rows each. Blocks of PostgreSQL say it most exactly; no other work on the machine changes their number.
import pg from 'pg';
import { pino } from 'pino';
import { connectDatabase } from '../src/database/connection.ts';
import { PlatformScope } from '../src/database/platform-scope.ts';
import { Reader } from '../src/database/reader.ts';
import { Transactions } from '../src/database/transactions.ts';
import { addChanges } from '../src/platform-counts/addition.ts';
import { readActiveServers } from '../src/platform-counts/counts.ts';
import { evaluate } from '../src/services/alerts/evaluation.ts';
import { startChild, type Child } from './support/child.ts';
import { openEnvironment } from './support/environment.ts';
import { median, refuseMissed } from './support/figures.ts';

const sizes = { few: 10, many: 1_000 };
const requests = 30;
const maxRatio = 1.2;
/** Indexes of larger tables are deeper: of each of the 25 rows of a page, two are searched. */
const maxFurtherBlocks = 125;
/** PostgreSQL publishes the blocks of a session at the end of a statement, at most every second. */
const publishedAfterMs = 1_100;

const id = (kind: number, number: string) =>
  `('${kind}0000000-0000-4000-8000-' || lpad((${number})::text, 12, '0'))::uuid`;

/** Of each license: four hosts with three servers each, some of them stopped, two users, a subscribed module and a public page. */
const inserts = [
  `insert into license (id, key, name, subdomain, companion_token_hash, created_at)
   select ${id(1, 'n')}, 'k' || n, 'n' || n, 's' || n, 'c' || n, now() - n % 100 * interval '1 day' from licenses`,
  `insert into user_account (id, email) select ${id(2, 'n * 2 + k')}, 'u' || n || '-' || k || '@example.com'
   from licenses, generate_series(0, 1) k`,
  `insert into site_config (license_id, is_public, is_listed_by_default) select ${id(1, 'n')}, true, true from licenses`,
  `insert into agent_host (id, license_id, hostname, platform, agent_version, bus_public_key, status, last_heartbeat_at)
   select ${id(3, 'n * 4 + k')}, ${id(1, 'n')}, 'h' || k, 'linux-x64', '1.' || n % 4 || '.0', 'b' || n || '-' || k, 'online', now()
   from licenses, generate_series(0, 3) k`,
  `insert into game_instance (id, license_id, host_id, name, game, state, state_at, players)
   select ${id(4, 'n * 12 + k * 3 + i')}, ${id(1, 'n')}, ${id(3, 'n * 4 + k')}, 'i' || i, 'rust',
     case when i = 2 then 'stopped' else 'running' end, now(), case when i < 2 then k + i end
   from licenses, generate_series(0, 3) k, generate_series(0, 2) i`,
  `insert into subscription (license_id, kind, reference, status, amount, currency, period)
   select ${id(1, 'n')}, 'module', 'm' || n % 5, 'active', 4.99, 'EUR', case when n % 2 = 0 then 'month' else 'year' end from licenses`,
  `insert into instance_state_interval (license_id, instance_id, from_at, to_at, state)
   select ${id(1, 'n')}, ${id(4, 'n * 12 + k')}, now() - j * interval '1 hour', now() - (j - 1) * interval '1 hour', 'running'
   from licenses, generate_series(0, 11) k, generate_series(2, 10) j`,
  `insert into instance_stats_5m (license_id, instance_id, bucket_at, map_id, is_rolled_up, samples, running_samples, players_samples,
     players_sum, players_min, players_max, fps_samples, fps_sum, fps_min, entities_samples, entities_sum, entities_max)
   select ${id(1, 'n')}, ${id(4, 'n * 12 + k')}, date_bin('5 minutes', now(), 'epoch') - j * interval '5 minutes', ${id(5, 'n')}, true,
     30, 30, 30, 300, 5, 15, 30, 1500, 40, 30, 30000, 1000
   from licenses, generate_series(0, 11) k, generate_series(1, 12) j`,
  `insert into alert (license_id, kind, severity, subject_id, subject_name, host_id, host_name, metadata, raised_at, ended_at, end_reason)
   select ${id(1, 'n')}, 'host_down', 'Critical', ${id(3, 'n * 4')}, 'h0', ${id(3, 'n * 4')}, 'h0', '{}',
     now() - j * interval '1 day', now() - j * interval '1 day' + interval '1 hour', 'recovered'
   from licenses, generate_series(1, 10) j`,
];

interface Figures {
  blocks: number;
  ms: number;
}

const environment = await openEnvironment();
const client = new pg.Client({ connectionString: environment.databaseUrl });
let platform: Child | undefined;
try {
  platform = await startChild('servers/platform.ts', {
    ...(JSON.parse(environment.settings) as object),
    roles: ['api'],
  });
  const { url } = platform.ready;
  await client.connect();
  const measured: Record<keyof typeof sizes, Map<string, Figures>> = { few: new Map(), many: new Map() };
  let last = 0;
  for (const [size, count] of Object.entries(sizes)) {
    await createLicenses(last + 1, count);
    last = count;
    measured[size as keyof typeof sizes] = await measure(url);
  }
  print(measured);
} finally {
  await platform?.stop();
  await client.end();
  await environment.stop();
}

async function createLicenses(first: number, to: number): Promise<void> {
  for (const insert of inserts)
    await client.query(`with licenses as (select n from generate_series(${first}, ${to}) n) ${insert}`);
  await addCounts();
  await client.query('vacuum analyze');
}

/** As the jobs do. */
async function addCounts(): Promise<void> {
  await withDatabase(async (scope) => {
    while (await scope.transact('jobs', (em) => addChanges(em, 10_000)));
  });
}

async function withDatabase<T>(work: (platform: PlatformScope) => Promise<T>): Promise<T> {
  const log = pino({ level: 'silent' });
  const connection = await connectDatabase({ url: environment.databaseUrl, poolSize: 1, log });
  try {
    return await work(new PlatformScope(new Transactions(connection.orm, log), new Reader(connection.pool)));
  } finally {
    await connection.close();
  }
}

async function measure(url: string): Promise<Map<string, Figures>> {
  const response = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'bench@example.com', password: 'correct-horse-battery' }),
  });
  const { session } = (await response.json()) as { session: { access_token: string } };
  const headers = { authorization: `Bearer ${session.access_token}` };
  const get = (path: string) => async () => {
    const reply = await fetch(url + path, { headers });
    if (!reply.ok) throw new Error(await reply.text());
    await reply.arrayBuffer();
  };
  const figures = new Map<string, Figures>();
  figures.set('GET /api/admin/servers', await costOf(get('/api/admin/servers?limit=25'), requests));
  figures.set('GET /api/admin/stats', await costOf(get('/api/admin/stats'), requests));
  // Other pages are not cached, and all have 25 servers.
  const { rows } = await client.query<{ id: string }>('select id from game_instance order by id limit 90');
  const ids = rows.map((row) => row.id);
  const nextPage = () =>
    get(`/api/public/status?limit=25&cursor=${Buffer.from(ids.pop() ?? '').toString('base64url')}`)();
  figures.set('GET /api/public/status, a page', await costOf(nextPage, requests));
  figures.set('its totals, every 5 s', await costOfTotals());
  figures.set('an alert round, for each license', await costOfRounds());
  return figures;
}

/** Of all sessions but this one; no other work of PostgreSQL is in it. */
async function blocks(): Promise<number> {
  const { rows } = await client.query<{ blocks: number }>(
    `select sum(hits + reads)::float8 as blocks from pg_stat_activity as activity, pg_stat_get_backend_io(activity.pid)
     where datname = current_database() and activity.pid <> pg_backend_pid()`,
  );
  return rows[0]?.blocks ?? NaN;
}

async function costOf(work: () => Promise<void>, count: number): Promise<Figures> {
  for (let warm = 0; warm < 12; warm += 1) await work();
  const last = async () => {
    await pause(publishedAfterMs);
    await work();
    return blocks();
  };
  const before = await last();
  const times: number[] = [];
  for (let number = 1; number < count; number += 1) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  return { blocks: ((await last()) - before) / count, ms: median(times) };
}

function costOfTotals(): Promise<Figures> {
  return withDatabase((scope) =>
    costOf(async () => {
      await scope.read('public', readActiveServers);
    }, requests),
  );
}

/** Of every license, a hundred at a time as the jobs evaluate them. */
async function costOfRounds(): Promise<Figures> {
  const { rows } = await client.query<{ id: string }>('select id from license order by id');
  return withDatabase(async (scope) => {
    const evaluateAll = async () => {
      for (let at = 0; at < rows.length; at += 100)
        await scope.transact('jobs', (em) =>
          evaluate(
            em,
            rows.slice(at, at + 100).map(({ id: licenseId }) => ({ licenseId, lastEvaluatedMs: Date.now() })),
            '1.0.0',
          ),
        );
    };
    const { blocks: all, ms } = await costOf(evaluateAll, 4);
    return { blocks: all / rows.length, ms: ms / rows.length };
  });
}

function print({ few, many }: Record<keyof typeof sizes, Map<string, Figures>>): void {
  console.log(
    `\n${sizes.few} licenses, and ${sizes.many} licenses   aim ≤ ${maxRatio} times the blocks, or ${maxFurtherBlocks} more`,
  );
  for (const [name, before] of few) {
    const after = many.get(name) ?? { blocks: NaN, ms: NaN };
    const ratio = (of: keyof Figures) => after[of] / before[of];
    console.log(
      `  ${name.padEnd(36)} ${before.blocks.toFixed(0).padStart(7)} ${after.blocks.toFixed(0).padStart(7)} blocks ${ratio('blocks').toFixed(2).padStart(6)}` +
        `   ${before.ms.toFixed(1).padStart(6)} ${after.ms.toFixed(1).padStart(6)} ms ${ratio('ms').toFixed(2).padStart(6)}`,
    );
    refuseMissed(ratio('blocks') > maxRatio && after.blocks - before.blocks > maxFurtherBlocks);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
