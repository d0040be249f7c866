// A license with a fleet, for benchmarks that read one, and an otherwise empty platform.
import pg from 'pg';
import { startChild, type Child } from './child.ts';
import { openEnvironment } from './environment.ts';

export interface FleetParts {
  /** The settings of a platform with the role `api`. */
  url: string;
  client: pg.Client;
}

/** Starts everything that is needed to read a fleet, and ends it afterwards. */
export async function withFleet(work: (parts: FleetParts) => Promise<void>): Promise<void> {
  const environment = await openEnvironment();
  const client = new pg.Client({ connectionString: environment.databaseUrl });
  let platform: Child | undefined;
  try {
    const settings = JSON.parse(environment.settings) as object;
    platform = await startChild('servers/platform.ts', { ...settings, roles: ['api'] });
    const { url } = platform.ready;
    await prepareFleet(url, environment.databaseUrl);
    await client.connect();
    await work({ url, client });
  } finally {
    await client.end();
    await platform?.stop();
    await environment.stop();
  }
}

/** A license with 200 instances beside 20 others, and a token and an API key of its owner. */
export async function prepareFleet(
  url: string,
  databaseUrl: string,
): Promise<{ token: string; licenseId: string; apiKey: string }> {
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
  const client = new pg.Client({ connectionString: databaseUrl });
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
  const token = await signIn({ ...credentials, license_id: licenseId });
  await post('/auth/step-up', { password: credentials.password }, token);
  const { key } = await post<{ key: string }>(
    '/api/api-keys',
    { name: 'bench', permissions: { 'fleet.view': true } },
    token,
  );
  return { token, licenseId, apiKey: key };
}
