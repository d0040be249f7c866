// Counts of all licenses: they equal their rows after any operations, concurrent ones and aborted ones included.
import fc from 'fast-check';
import { pino } from 'pino';
import { PlatformCounting } from '../../src/jobs/platform-counting.ts';
import { connectDatabase, type DatabaseConnection } from '../../src/database/connection.ts';
import { PlatformScope } from '../../src/database/platform-scope.ts';
import { Reader } from '../../src/database/reader.ts';
import { Transactions } from '../../src/database/transactions.ts';
import { readActiveServers, readAdditions, readCounts } from '../../src/platform-counts/counts.ts';
import { recurringRevenue } from '../../src/services/admin-subscriptions.ts';
import { patientLimits, createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let connection: DatabaseConnection;
let platform: PlatformScope;
let counting: PlatformCounting;
let logged: Record<string, unknown>[];

beforeAll(async () => {
  database = await createTestDatabase();
  const log = pino({ level: 'silent' });
  connection = await connectDatabase({ url: database.url, limits: patientLimits, poolSize: 4, log });
  platform = new PlatformScope(new Transactions(connection.orm, log), new Reader(connection.pool));
  const errors = pino(
    { level: 'error' },
    { write: (line: string) => logged.push(JSON.parse(line) as Record<string, unknown>) },
  );
  counting = new PlatformCounting(platform, errors);
  await createLicenses();
});

afterAll(async () => {
  await connection.close();
  await database.drop();
});

beforeEach(() => (logged = []));

const licenseCount = 5;
const maxHosts = 6;

/** Some are sandboxes, which count nowhere. */
async function createLicenses(): Promise<void> {
  await database.query(
    `insert into license (id, key, name, subdomain, companion_token_hash, is_sandbox)
     select ${idOf('license', 'n')}, 'k' || n, 'k' || n, 'k' || n, 'k' || n, n = 5 from generate_series(1, $1::int) n`,
    [licenseCount],
  );
}

const kinds = { license: 1, host: 2, instance: 3, subscription: 4 };

function idOf(kind: keyof typeof kinds, number: string): string {
  return `('${kinds[kind]}0000000-0000-4000-8000-' || lpad((${number})::text, 12, '0'))::uuid`;
}

/** SQL of one operation; `a` to `c` are numbers that choose rows and values. */
const operations: Record<string, (a: number, b: number, c: number) => string> = {
  'a host is enrolled': (a, b) => `
    insert into agent_host (id, license_id, hostname, platform, agent_version, bus_public_key, created_at)
    values (${idOf('host', String(b))}, ${idOf('license', String(a))}, 'h${b}', 'linux-x64', '1.${a}.0', 'b${b}', now() - ${b} * interval '9 days')
    on conflict do nothing`,
  'servers appear': (_a, b, c) => `
    insert into game_instance (id, license_id, host_id, name, state, players)
    select ${idOf('instance', `${b * 10} + n`)}, license_id, id, 'i' || n, case n % 2 when 0 then 'running' else 'stopped' end, n
    from agent_host, generate_series(1, ${c}) n where id = ${idOf('host', String(b))}
    on conflict (host_id, name) do update set players = coalesce(game_instance.players, 0) + 3, state = 'running'`,
  heartbeats: (a, _b, c) => `
    update game_instance set players = ${a * c}, state = case when players is null then 'starting' else 'running' end
    where license_id <> ${idOf('license', String(a))}`,
  'players are unknown': (_a, b) =>
    `update game_instance set players = null where host_id = ${idOf('host', String(b))}`,
  'a host changes': (a, b, c) => `
    update agent_host set status = '${a % 2 === 0 ? 'online' : 'offline'}', agent_version = '1.${c}.0'
    where id = ${idOf('host', String(b))}`,
  'a host stays the same': (_a, b) =>
    `update agent_host set last_heartbeat_at = now() where id = ${idOf('host', String(b))}`,
  'a server is deleted': (_a, b, c) =>
    `delete from game_instance where id = ${idOf('instance', String(b * 10 + c))}`,
  'a host is deleted': (_a, b) => `delete from agent_host where id = ${idOf('host', String(b))}`,
  'a license is revoked': (a, b) =>
    `update license set status = 'revoked', revoked_at = now(), revoked_by = '${b % 2 === 0 ? 'platform' : 'reseller'}' where id = ${idOf('license', String(a))}`,
  'a license is active again': (a) =>
    `update license set status = 'active', revoked_at = null, revoked_by = null where id = ${idOf('license', String(a))}`,
  'a user signs up': (_a, b, c) => `
    insert into user_account (id, email, is_super_admin) values (${idOf('license', String(b * 10 + c))}, 'u${b}-${c}@example.com', ${c === 1})
    on conflict do nothing`,
  'users are disabled': (a, b) =>
    `update user_account set is_disabled = ${a % 2 === 0} where email like 'u${b}-%'`,
  'users are deleted': (_a, b) => `delete from user_account where email like 'u${b}-%'`,
  'a license subscribes': (a, b, c) => `
    insert into subscription (id, license_id, kind, reference, status, amount, currency, period)
    values (${idOf('subscription', String(b))}, ${idOf('license', String(a))}, ${c === 1 ? `'webstore', 'webstore'` : `'module', 'm${c}'`},
      ${a % 2 === 0 ? `'active'` : `'trialing'`}, ${b} + 0.99, '${c % 2 === 0 ? 'EUR' : 'USD'}', '${b % 2 === 0 ? 'month' : 'year'}')
    on conflict do nothing`,
  'a subscription changes': (a, b, c) => `
    update subscription set status = '${a % 3 === 0 ? 'past_due' : 'active'}', amount = amount + 0.0${c}
    where id = ${idOf('subscription', String(b))}`,
  'a subscription ends': (_a, b) => `delete from subscription where id = ${idOf('subscription', String(b))}`,
  'an address waits for the opening': (a, b) =>
    `insert into early_access_signup (email, server_count) values ('e${a}-${b}@example.com', 1) on conflict do nothing`,
};

const names = Object.keys(operations);

/** The numbers that the platform shows. */
async function shown() {
  return platform.read('administration', async (queries) => {
    const counts = await readCounts(queries, ['licenses', 'users', 'hosts', 'instances', 'signups']);
    return {
      counts: Object.fromEntries(
        [
          ...Map.groupBy(
            counts,
            ({ figure, key, detail }) => `${figure} ${key} ${figure === 'instances' ? '' : detail}`,
          ),
        ]
          .map(([name, rows]) => [name, rows.reduce((sum, { n }) => sum + n, 0)])
          .filter(([, n]) => n !== 0),
      ) as Record<string, number>,
      servers: await readActiveServers(queries),
      hosts: await readAdditions(queries, 'hosts_added'),
      licenses: await readAdditions(queries, 'licenses_added'),
      revenue: (await recurringRevenue(queries)).breakdown,
    };
  });
}

/** The same, counted. */
async function counted() {
  const groups = await database.query<{ name: string; n: number }>(
    `with host as (select agent_host.* from agent_host join license on license.id = license_id and not is_sandbox),
     instance as (select game_instance.* from game_instance join license on license.id = license_id and not is_sandbox)
     select 'licenses ' || case when status = 'active' then 'active' when revoked_by = 'reseller' then 'suspended' else 'revoked' end || ' ' as name,
       count(*)::int as n from license where not is_sandbox group by 1
     union all select 'users ' || case when is_disabled then 'disabled' else 'enabled' end || ' ' || case when is_super_admin then 'super_admin' else '' end, count(*)::int
       from user_account group by 1
     union all select 'hosts ' || status || ' ' || agent_version, count(*)::int from host group by 1
     union all select 'instances ' || state || ' ', count(*)::int from instance group by 1
     union all select 'signups  ', count(*)::int from early_access_signup having count(*) > 0`,
  );
  const [servers] = await database.query(
    `select count(*)::int as total_servers, (count(*) filter (where state = 'running'))::int as online_servers,
       coalesce(sum(players) filter (where state = 'running'), 0)::int as total_players
     from game_instance join license on license.id = license_id where license.status = 'active' and not is_sandbox`,
  );
  const days = `(now() at time zone 'UTC')::date - (created_at at time zone 'UTC')::date`;
  const additions = (table: string) => `
    select (count(*) filter (where ${days} < 30))::int as added,
      (count(*) filter (where ${days} between 30 and 59))::int as added_before from ${table}`;
  const [hosts] = await database.query(
    additions(
      '(select agent_host.created_at from agent_host join license on license.id = license_id and not is_sandbox) as host',
    ),
  );
  const [licenses] = await database.query(
    additions('(select * from license where not is_sandbox) as license'),
  );
  const revenue = await database.query(
    `select kind, reference, currency, count(*)::int as subscriptions,
       round(sum(case period when 'year' then amount / 12 else amount end), 2)::text as amount
     from subscription join license on license.id = license_id and license.status = 'active' and not is_sandbox
     where subscription.status = 'active' group by kind, reference, currency
     order by currency, sum(case period when 'year' then amount / 12 else amount end) desc, kind, reference`,
  );
  return {
    counts: Object.fromEntries(groups.map(({ name, n }) => [name, n])),
    servers,
    hosts,
    licenses,
    revenue,
  };
}

const operation = fc.record({
  name: fc.constantFrom(...names),
  a: fc.integer({ min: 1, max: licenseCount }),
  b: fc.integer({ min: 1, max: maxHosts }),
  c: fc.integer({ min: 1, max: 5 }),
});
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('commit' as const),
      work: fc.array(operation, { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('abort' as const),
      work: fc.array(operation, { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('add' as const) }) },
);

it('equal the rows after any operations, whether or not the jobs have added them', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      for (const one of steps) {
        if (one.kind === 'add') {
          await counting.run();
          continue;
        }
        for (const { name } of one.work) seen.add(name);
        const statements = one.work.map(({ name, a, b, c }) => operations[name]?.(a, b, c) ?? '');
        await database.query(
          ['begin', ...statements, one.kind === 'commit' ? 'commit' : 'rollback'].join(';\n'),
        );
        expect(await shown()).toEqual(await counted());
      }
    }),
    { numRuns: 25 },
  );
  expect([...seen].sort()).toEqual([...names].sort());
  await counting.run();
  expect(await shown()).toEqual(await counted());
  await counting.recount();
  expect(logged).toEqual([]);
});

it('equal the rows after operations of several sessions at once, while jobs add them', async () => {
  const work = Array.from({ length: 4 }, async (_value, session) => {
    for (let round = 0; round < 40; round += 1) {
      const at = session * 40 + round;
      const name = names[(at * 7) % names.length] ?? '';
      const [a, b, c] = [(at % licenseCount) + 1, (at % maxHosts) + 1, (at % 5) + 1];
      // One statement, so that sessions cannot wait for each other in a circle.
      await connection.pool.query(operations[name]?.(a, b, c) ?? '').catch((error: { code?: string }) => {
        // Heartbeats here take many rows in any order.
        if (error.code !== '40P01' && error.code !== '23503') throw error;
      });
      if (session === 0) await counting.run();
    }
  });
  await Promise.all(work);
  expect(await shown()).toEqual(await counted());
  await counting.recount();
  expect(logged).toEqual([]);
});

it('are lost or added with their transaction when a process is killed', async () => {
  await database.query(operations['a host is enrolled']?.(1, 1, 1) ?? '');
  const before = await shown();
  const client = await connection.pool.connect();
  client.on('error', () => undefined);
  await client.query('begin');
  await client.query(operations['servers appear']?.(1, 1, 5) ?? '');
  await client.query(operations['a host changes']?.(1, 1, 5) ?? '');
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  await database.query('select pg_terminate_backend($1, 5000)', [rows[0]?.pid]);
  client.release(true);
  expect(await shown()).toEqual(before);
  expect(await shown()).toEqual(await counted());
});

it('are compared with the rows, logged and corrected when they differ', async () => {
  for (const name of ['a license is active again', 'a host is enrolled', 'servers appear', 'a user signs up'])
    await database.query(operations[name]?.(1, 1, 5) ?? '');
  await counting.run();
  await database.query(
    `update platform_count set n = n + 7 where figure = 'licenses' and key = 'active';
     update license_count set n = n + 5 where figure = 'instances';
     delete from platform_count where figure = 'users_added'`,
  );
  await counting.recount();
  expect(logged).toHaveLength(1);
  expect(logged[0]?.['differences']).toEqual(
    expect.arrayContaining([expect.objectContaining({ figure: 'licenses', key: 'active', n: '-7' })]),
  );
  expect(await shown()).toEqual(await counted());
  await counting.run();
  expect(await shown()).toEqual(await counted());
  logged = [];
  await counting.recount();
  expect(logged).toEqual([]);
});

it('are nothing that a tenant can read of others, or write', async () => {
  const tables = ['platform_count', 'platform_count_change', 'license_count', 'license_count_change'];
  const rights = await database.query(
    `select table_name::text, privilege_type::text from information_schema.role_table_grants
     where grantee = 'gantry_tenant' and table_name = any($1) order by 1`,
    [[...tables, 'counted_platform', 'counted_licenses']],
  );
  expect(rights).toEqual([
    { table_name: 'license_count', privilege_type: 'SELECT' },
    { table_name: 'license_count_change', privilege_type: 'SELECT' },
  ]);
});
