// A license with rows in every table and a long history, and what its members use.
import type pg from 'pg';
import { fillEveryTable } from '../../../test/support/every-table.ts';
import type { Cell } from './cell.ts';
import { connectTo } from './client.ts';

const credentials = { email: 'bench@example.com', password: 'correct-horse-battery' };

async function send<T>(url: string, body: object, bearer?: string): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url}: ${await response.text()}`);
  return (await response.json()) as T;
}

export interface BenchLicense {
  id: string;
  apiKey: string;
  hostId: string;
}

/** With an API key, a host, and a webhook to the URL, if one is given. */
export async function createLicense(
  cell: Cell,
  platformUrl: string,
  webhookUrl?: string,
): Promise<BenchLicense> {
  const signIn = async (more: object) => {
    const body = { ...credentials, ...more };
    const { session } = await send<{ session: { access_token: string } }>(`${platformUrl}/auth/login`, body);
    return session.access_token;
  };
  const { id } = await send<{ id: string }>(`${platformUrl}/api/admin/licenses`, {}, await signIn({}));
  const token = await signIn({ license_id: id });
  await send(`${platformUrl}/auth/step-up`, { password: credentials.password }, token);
  const { key } = await send<{ key: string }>(
    `${platformUrl}/api/api-keys`,
    { name: 'bench', permissions: { 'clusters.manage': true, 'fleet.view': true } },
    token,
  );
  if (webhookUrl !== undefined)
    await send(
      `${platformUrl}/api/webhooks`,
      { name: 'bench', url: webhookUrl, events: ['cluster.*'] },
      token,
    );
  const client = await connect(cell);
  const { rows } = await client.query<{ id: string }>(
    `insert into agent_host (license_id, hostname, platform, agent_version, bus_public_key)
     values ($1::uuid, 'host', 'linux-x64', '1', $1::uuid::text) returning id`,
    [id],
  );
  await client.end();
  return { id, apiKey: key, hostId: rows[0]?.id ?? '' };
}

const steam = `'7656119' || lpad(n::text, 10, '0')`;
const history = (count: number): [columns: string, values: string, rows: number][] => [
  [
    'player (license_id, steam_id, name, first_seen_at, last_seen_at)',
    `$1, ${steam}, 'a player', now(), now()`,
    count / 4,
  ],
  [
    'player_event (license_id, event_id, occurred_at, instance_id, steam_id, kind, display_name)',
    `$1, 'e' || n, now() - n % 20 * interval '1 day', $2, ${steam}, 'join', 'a player'`,
    count,
  ],
  [
    'player_session (license_id, instance_id, steam_id, started_at, ended_at, last_sign_at, has_join, end_reason)',
    `$1, $2, ${steam}, now() - n % 20 * interval '1 day', now(), now(), true, 'leave'`,
    count / 2,
  ],
  [
    'audit_entry (license_id, actor_kind, action, target_type, target_id)',
    `$1, 'job', 'created', 'player', n::text`,
    count / 2,
  ],
  [
    'instance_stats_packed (license_id, instance_id, hour_at, points)',
    `$1, uuidv7(), date_trunc('hour', now(), 'UTC') - n % 400 * interval '1 hour', decode(repeat(md5(n::text), 20), 'hex')`,
    count / 4,
  ],
];

/** The cell has no other license yet. What would make it a sandbox is taken out again. */
export async function fillLicense(cell: Cell, { id, hostId }: BenchLicense, count: number): Promise<void> {
  const client = await connect(cell);
  await fillEveryTable(client);
  await client.query('delete from sandbox; delete from simulated_host; delete from storage_marker');
  const { rows } = await client.query<{ id: string }>('select id from game_instance where license_id = $1', [
    id,
  ]);
  // As they were left by years of use: without the effects that rows have when they are new.
  await client.query(`set session_replication_role = 'replica'`);
  for (const [into, values, number] of history(count))
    await client.query(
      `insert into ${into} select ${values} from generate_series(1, $3::int) n where $2::uuid is not null`,
      [id, rows[0]?.id ?? hostId, number],
    );
  await client.query('reset session_replication_role; vacuum analyze').catch(async () => {
    await client.query('reset session_replication_role');
    await client.query('analyze');
  });
  await client.end();
}

/**
 * Makes what belongs to no license the same in both cells: accounts and modules have one ID everywhere. Migrations give modules another
 * ID in each installation.
 */
export async function shareGlobalRows(from: Cell, to: Cell): Promise<void> {
  const [source, target] = [await connect(from), await connect(to)];
  await target.query('delete from module');
  for (const table of ['module', 'user_account']) {
    const { rows } = await source.query<{ rows: unknown }>(
      `select json_agg(row) as rows from ${table} as row`,
    );
    await target.query(
      `insert into ${table} select * from json_populate_recordset(null::${table}, $1::json)`,
      [JSON.stringify(rows[0]?.rows ?? [])],
    );
  }
  await source.end();
  await target.end();
}

export function connect({ tcpUrl }: Cell): Promise<pg.Client> {
  return connectTo(tcpUrl);
}
