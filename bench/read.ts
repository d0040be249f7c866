// (a) A list with sign-in, validation and row level security, against a bare Express handler with the same SQL.
import autocannon from 'autocannon';
import pg from 'pg';
import { startChild, type Child } from './support/child.ts';
import { openEnvironment } from './support/environment.ts';
import { median, printComparison } from './support/figures.ts';

const rounds = 5;
const secondsARound = 4;
const connections = 32;
const path = '/api/fleet/instances?limit=25';

const environment = await openEnvironment();
const children: Child[] = [];
try {
  const platform = await start('servers/platform.ts', { ...shared(), roles: ['api'] });
  const { token, licenseId } = await prepare(platform.ready.url);
  const bare = await start('servers/bare.ts', { databaseUrl: environment.databaseUrl, licenseId });
  const padded = await start('servers/platform.ts', { ...shared(), roles: ['api'], paths: 300 });
  const ours = { url: platform.ready.url + path, headers: { authorization: `Bearer ${token}` } };
  const wide = { url: `${padded.ready.url}${path}`, headers: ours.headers };
  const theirs = { url: bare.ready.url + path, headers: {} };
  const bodies = await Promise.all(
    [ours, wide, theirs].map(async ({ url, headers }) => (await fetch(url, { headers })).text()),
  );
  if (new Set(bodies).size !== 1) throw new Error('the servers do not answer the same bytes');

  const figures: Record<'ours' | 'wide' | 'theirs', number[]> = { ours: [], wide: [], theirs: [] };
  for (const target of [ours, theirs, wide]) await load(target);
  for (let round = 0; round < rounds; round += 1) {
    figures.ours.push(await load(ours));
    figures.theirs.push(await load(theirs));
    figures.wide.push(await load(wide));
  }
  printComparison({
    name: `GET ${path}, ${connections} connections`,
    baseline: 'bare Express, the same SQL, the same bytes',
    unit: 'requests/s',
    ours: figures.ours,
    theirs: figures.theirs,
    aim: '≥ 0.5, goal 0.8',
  });
  const cost = figures.ours.map((value, index) => value / (figures.wide[index] ?? NaN));
  console.log(`  with 300 paths in the contract: ${median(cost).toFixed(2)} times the cost   aim ≤ 1.10`);
} finally {
  for (const child of children) await child.stop();
  await environment.stop();
}

function shared(): object {
  return JSON.parse(environment.settings) as object;
}

async function start(program: string, settings: unknown): Promise<Child> {
  const child = await startChild(program, settings);
  children.push(child);
  return child;
}

async function load({ url, headers }: { url: string; headers: Record<string, string> }): Promise<number> {
  const result = await autocannon({ url, headers, connections, duration: secondsARound });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} refusals and ${result.errors} errors`);
  return result.requests.average;
}

/** A license with 200 instances beside 20 others, and a token of its owner. */
async function prepare(url: string): Promise<{ token: string; licenseId: string }> {
  const post = async <T>(to: string, body: object, bearer?: string): Promise<T> => {
    const response = await fetch(url + to, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as T;
  };
  const credentials = { email: 'bench@example.com', password: 'correct-horse-battery' };
  const signIn = async (body: object) =>
    (await post<{ session: { access_token: string } }>('/auth/login', body)).session.access_token;
  const adminToken = await signIn(credentials);
  const ids: string[] = [];
  for (let index = 0; index < 21; index += 1)
    ids.push((await post<{ id: string }>('/api/admin/licenses', {}, adminToken)).id);
  const client = new pg.Client({ connectionString: environment.databaseUrl });
  await client.connect();
  await client.query(`
    with host as (insert into agent_host (license_id, hostname, platform, agent_version, bus_public_key)
      select id, 'host', 'linux-x64', '1', id::text from license returning id, license_id)
    insert into game_instance (license_id, host_id, name, game, state, uptime_seconds, players, max_players, fps, entities, map, cpu_percent, memory_bytes)
    select license_id, host.id, 'i' || n, 'rust', 'running', n * 100, n, 100, 59.5, 1000 + n, 'Procedural Map', 50.5, 9126805504
    from host, generate_series(1, 200) n`);
  await client.query('analyze');
  await client.end();
  const [licenseId = ''] = ids;
  return { token: await signIn({ ...credentials, license_id: licenseId }), licenseId };
}
