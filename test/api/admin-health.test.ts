// Operations of the area `admin-health`: the health of the platform.
import type { components } from '../../generated/platform.d.ts';
import { until } from '../support/until.ts';
import { World } from '../support/world.ts';

type Health = components['schemas']['PlatformDiagnostics'];

let world: World;

beforeAll(async () => {
  world = await World.create({ roles: ['api'] });
});

afterAll(async () => {
  await world.close();
});

const read = async () =>
  (await world.call('get', '/api/admin/health', world.admin).expect(200)).body as Health;

it('getPlatformHealth: returns 200 with the connection pool, the bus and every table', async () => {
  const { database, bus, tables, mail } = await read();
  expect(mail).toEqual({ transport: 'files' });
  expect(database).toEqual({
    version: expect.stringMatching(/^1[5-9]|^2/),
    size_bytes: expect.any(Number),
    pool: { total: expect.any(Number), idle: expect.any(Number), waiting: 0, max: 10, most: 10 },
  });
  expect(database.pool.total).toBeGreaterThanOrEqual(database.pool.idle);
  expect(bus).toEqual({
    is_connected: true,
    connected_since: expect.stringMatching(/Z$/),
    is_guarded: true,
  });
  const names = tables.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['license', 'audit_entry', 'instance_stats', 'api_key']));
  expect(names.filter((name) => /_\d{4}_\d\d$/.test(name))).toEqual([]);
});

it('getPlatformHealth: returns 200 with estimated row counts, summed over partitions', async () => {
  await world.database.query(
    `insert into audit_entry (actor_kind, action, target_type, target_id, recorded_at)
     select 'system', 'created', 'x', n::text, now() + (n % 2) * interval '1 month' from generate_series(1, 1000) n`,
  );
  await world.database.query('analyze audit_entry');
  await until(async () => {
    const rows = (await read()).tables.find(({ name }) => name === 'audit_entry')?.rows ?? 0;
    return rows >= 1000 && rows < 1100;
  }, 'the statistics');
});

it('getPlatformHealth: returns 200 with the depth of the job queue', async () => {
  const before = (await read()).jobs;
  const add = (options: string) =>
    world.database.query(`select graphile_worker.add_job('unknown-task', ${options})`);
  await add(`run_at => now() - interval '1 minute'`);
  await add(`run_at => now() + interval '1 hour'`);
  await add(`max_attempts => 1`);
  await world.database.query(
    'update graphile_worker._private_jobs set attempts = max_attempts where max_attempts = 1',
  );
  await add(`max_attempts => 2`);
  await world.database.query(
    `update graphile_worker._private_jobs set locked_by = 'w', locked_at = now() - interval '16 minutes'
     where max_attempts = 2`,
  );
  expect((await read()).jobs).toEqual({
    waiting: before.waiting + 1,
    scheduled: before.scheduled + 1,
    running: before.running + 1,
    stuck: before.stuck + 1,
    failed: before.failed + 1,
  });
});
