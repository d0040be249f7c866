// Recovery from kill -9: the platform, PostgreSQL and nats-server die during work, and it continues.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { readConfig } from '../../src/config/index.ts';
import { obtainInfrastructure, type Infrastructure } from '../../src/embedded/infrastructure.ts';
import { Program, writeAgentConfig } from '../support/processes.ts';
import { until } from '../support/until.ts';

const credentials = { email: 'admin@example.com', password: 'correct-horse-battery' };

let directory: string;
let infrastructure: Infrastructure;
let database: pg.Pool;
let platform: Program;
let agent: Program;
let url: string;
let token: string;
let instanceId: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gantry-faults-'));
  const config = readConfig({
    GANTRY_DATA_DIR: join(directory, 'data'),
    NATS_SERVER_BIN: process.env['GANTRY_TEST_NATS_SERVER'],
    HOME: process.env['HOME'],
  });
  infrastructure = await obtainInfrastructure(config, pino({ level: 'silent' }));
  database = connect();
  platform = Program.platform({
    DATABASE_URL: infrastructure.databaseUrl,
    NATS_URL: infrastructure.bus.url,
    GANTRY_NATS_KEYS: join(directory, 'data', 'nats-keys.json'),
    GANTRY_JWT_SECRET: 'a secret of the tests that is long enough',
    GANTRY_DATA_DIR: join(directory, 'platform'),
    GANTRY_BOOTSTRAP_EMAIL: credentials.email,
    GANTRY_BOOTSTRAP_PASSWORD: credentials.password,
    GANTRY_HEARTBEAT_SECONDS: '0.5',
    GANTRY_RATE_LIMIT_FACTOR: '1000',
    PORT: '0',
    LOG_LEVEL: 'warn',
  });
  url = await platform.start();
  token = await signIn();
  const license = await call<{ companion_token: string }>('POST', '/api/admin/licenses', {});
  token = await signIn();
  await writeAgentConfig(join(directory, 'agent.json'), [
    {
      name: 'main',
      command: process.execPath,
      args: ['-e', 'setInterval(() => {}, 1000)'],
      ready_after_seconds: 0,
      stop_grace_seconds: 2,
    },
  ]);
  agent = Program.agent({
    GANTRY_URL: url,
    GANTRY_COMPANION_TOKEN: license.companion_token,
    GANTRY_AGENT_CONFIG: join(directory, 'agent.json'),
    GANTRY_AGENT_STATE: join(directory, 'agent'),
  });
  await agent.start();
  instanceId = await until(async () => {
    const { data } = await call<{ data: { id: string }[] }>('GET', '/api/fleet/instances');
    return data[0]?.id;
  }, 'the instance');
}, 180_000);

afterAll(async () => {
  const steps = [
    () => call('POST', `/api/instances/${instanceId}/stop`, undefined, { Prefer: 'wait=10' }),
    () => agent.signal('SIGTERM'),
    () => platform.signal('SIGTERM'),
    () => database.end(),
    () => infrastructure.stop(),
    () => rm(directory, { recursive: true, force: true }),
  ];
  const failures: unknown[] = [];
  // An earlier failure to end a process must not leave others running.
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      failures.push(error);
    }
  }
  expect(failures).toEqual([]);
});

function connect(): pg.Pool {
  const pool = new pg.Pool({ connectionString: infrastructure.databaseUrl, max: 2 });
  pool.on('error', () => undefined);
  return pool;
}

async function signIn(): Promise<string> {
  const { session } = await call<{ session: { access_token: string } }>('POST', '/auth/login', credentials);
  return session.access_token;
}

async function call<T>(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<T> {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...headers,
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  return (await response.json()) as T;
}

/** Restarts the platform on another port; the agent finds it through the bus. */
async function startAgain(): Promise<void> {
  url = await platform.start();
}

async function heartbeatsStored(): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    'select count(*)::int as count from instance_stats',
  );
  return rows[0]?.count ?? 0;
}

async function moreHeartbeatsThan(before: number): Promise<void> {
  await until(async () => (await heartbeatsStored().catch(() => 0)) > before + 2, 'new heartbeats', 30_000);
}

async function statuses(): Promise<Record<string, number>> {
  const { rows } = await database.query<{ status: string; count: number }>(
    'select status, count(*)::int as count from command group by 1',
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

it('carries out every acknowledged command once when the platform is killed between them', async () => {
  const asked = 12;
  const ids: string[] = [];
  for (let index = 0; index < asked; index += 1) {
    const command = await call<{ id: string }>('POST', `/api/instances/${instanceId}/restart`);
    ids.push(command.id);
    if (index % 4 === 3) {
      await platform.signal('SIGKILL');
      await startAgain();
    }
  }
  await until(async () => (await statuses())['succeeded'] === asked, `all of ${asked} commands`, 60_000);
  expect(await statuses()).toEqual({ succeeded: asked });
  const { rows } = await database.query<{ pids: number }>(
    `select count(distinct substring(detail from 'runs with pid (\\d+)'))::int as pids from command`,
  );
  expect(rows).toEqual([{ pids: asked }]);
}, 240_000);

it('continues to accept heartbeats after the platform was killed during ingest', async () => {
  await moreHeartbeatsThan(0);
  await platform.signal('SIGKILL');
  const before = await heartbeatsStored();
  await startAgain();
  await moreHeartbeatsThan(before);
}, 180_000);

it('recovers by itself each time PostgreSQL is killed while commands run, and loses none', async () => {
  const asked: string[] = [];
  const refused = new Set<number>();
  let goesOn = true;
  const isReady = async () => (await fetch(`${url}/readyz`)).status === 200;
  // Each waits for the end of its command, so that no more is open than the machine can do in the time.
  const traffic = Promise.allSettled(
    Array.from({ length: 6 }, async () => {
      while (goesOn) {
        const response = await fetch(`${url}/api/instances/${instanceId}/start`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, prefer: 'wait=5' },
        });
        if (response.ok) asked.push(((await response.json()) as { id: string }).id);
        else {
          refused.add(response.status);
          await until(isReady, 'readiness', 60_000);
        }
      }
    }),
  );
  try {
    for (let round = 0; round < 3; round += 1) {
      const before = asked.length;
      await until(() => asked.length > before + 5, 'commands in progress', 60_000);
      await killPostgres();
      await until(isReady, 'readiness', 60_000);
      await moreHeartbeatsThan(await heartbeatsStored());
    }
  } catch (error) {
    throw new Error(platform.output.slice(-5_000), { cause: error });
  } finally {
    goesOn = false;
    await traffic;
  }
  const broken = (await traffic).find(({ status }) => status === 'rejected');
  if (broken !== undefined) throw new Error(platform.output.slice(-5_000), { cause: broken });
  await until(
    async () => {
      const { rows } = await database.query<{ open: number }>(
        'select count(*)::int as open from command where finished_at is null',
      );
      return rows[0]?.open === 0;
    },
    'the end of all commands',
    60_000,
  );
  expect(await statuses()).toEqual({ succeeded: expect.any(Number) });
  const { rows } = await database.query<{ kept: number }>(
    'select count(*)::int as kept from command where id = any($1::uuid[])',
    [asked],
  );
  expect(rows).toEqual([{ kept: asked.length }]);
  expect([...refused].filter((status) => status !== 503)).toEqual([]);
}, 300_000);

/** Kills the server and waits for its successor: until then, its leftover connections still reply. */
async function killPostgres(): Promise<void> {
  const startOf = async () => {
    const { rows } = await database.query<{ at: string; pid: number }>(
      'select pg_postmaster_start_time()::text as at, pg_backend_pid() as pid',
    );
    return rows[0] ?? { at: '', pid: 0 };
  };
  const killed = await startOf();
  const status = await readFile(`/proc/${killed.pid}/stat`, 'utf8');
  process.kill(Number(status.slice(status.lastIndexOf(')')).split(' ')[2]), 'SIGKILL');
  await until(
    async () => (await startOf().catch(() => killed)).at !== killed.at,
    'the next PostgreSQL',
    60_000,
  );
  // Some of its connections may not have noticed yet.
  await database.end();
  database = connect();
}

it('recovers by itself when nats-server is killed and restarted', async () => {
  const pid = Number(await readFile(join(directory, 'data', 'nats', 'nats-server.pid'), 'utf8'));
  process.kill(pid, 'SIGKILL');
  const { id } = await call<{ id: string }>('POST', `/api/instances/${instanceId}/restart`);
  const before = await heartbeatsStored();
  await moreHeartbeatsThan(before);
  const status = await until(
    async () => {
      const command = await call<{ status: string; finished_at: string | null }>(
        'GET',
        `/api/commands/${id}`,
      );
      return command.finished_at !== null && command.status;
    },
    'the command',
    45_000,
  );
  expect(status).toBe('succeeded');
}, 240_000);

/** Kills the platform while it writes to that table, and restarts it. */
async function killWhileInserting(
  table: 'command' | 'schedule_run',
  cause: () => Promise<unknown>,
): Promise<void> {
  const client = await database.connect();
  try {
    await client.query('begin');
    await client.query(`lock table ${table} in share mode`);
    await cause();
    const isWaiting = async () => {
      const { rows } = await database.query(
        `select from pg_stat_activity where wait_event_type = 'Lock' and query ilike $1`,
        [`insert into "${table}"%`],
      );
      return rows.length > 0;
    };
    await until(isWaiting, `an insert into ${table}`, 60_000);
    await platform.signal('SIGKILL');
    await client.query('commit');
  } finally {
    client.release();
  }
  await startAgain();
}

it.each(['command', 'schedule_run'] as const)(
  'runs each due time of a schedule once when the platform is killed while it writes its %s',
  async (table) => {
    const { rows: made } = await database.query<{ id: string }>(
      `insert into schedule (license_id, instance_id, name, action, cron, time_zone, created_by)
       select license_id, id, $2 || ' ' || n, '{"kind":"restart"}', '0 4 1 1 *', 'UTC', 'test'
       from game_instance, generate_series(1, 3) n where id = $1 returning id`,
      [instanceId, `Killed at ${table}`],
    );
    const ids = made.map(({ id }) => id);
    await killWhileInserting(table, () =>
      database.query('update schedule set next_run_at = now() where id = any($1)', [ids]),
    );
    const runsOf = async () => {
      const { rows } = await database.query<{ status: string }>(
        `select schedule_id, status from schedule_run where schedule_id = any($1) and due_at is not null`,
        [ids],
      );
      return rows.map(({ status }) => status);
    };
    await until(
      async () => {
        const found = await runsOf().catch((): string[] => []);
        return found.length >= ids.length && !found.includes('running');
      },
      'the end of every run',
      120_000,
    );
    expect(await runsOf()).toEqual(ids.map(() => 'succeeded'));
    const { rows } = await database.query(
      `select count(*)::int as commands, count(distinct requested_by)::int as schedules from command
       where requested_by like $1`,
      [`Killed at ${table}%`],
    );
    expect(rows).toEqual([{ commands: ids.length, schedules: ids.length }]);
  },
  240_000,
);
