// Alarms for the operator: overdue rows and dead jobs are logged, mailed once, and end automatically.
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { connectDatabase } from '../../src/database/connection.ts';
import { PlatformScope } from '../../src/database/platform-scope.ts';
import { Reader } from '../../src/database/reader.ts';
import { Transactions } from '../../src/database/transactions.ts';
import { MailOut } from '../../src/mail/mail-out.ts';
import { render } from '../../src/mail/template.ts';
import { templates } from '../../src/mail/templates.ts';
import { OperatorAlarms } from '../../src/services/admin-health/operator-alarms.ts';
import { queues, readQueues } from '../../src/services/admin-health/queue-ages.ts';
import {
  createHost,
  createInstance,
  createModuleSubscription,
  createReseller,
  createStoreDelivery,
  insertRow,
} from '../support/rows.ts';
import { adminEmail, jwtSecret, World } from '../support/world.ts';
import { patientLimits } from '../support/database.ts';

let world: World;
let alarms: OperatorAlarms;
let platform: PlatformScope;
const logged: { level: number; subject?: string }[] = [];
const mailOut = new MailOut(jwtSecret);

beforeAll(async () => {
  world = await World.create({ roles: ['api'] });
  const log = pino({ level: 'info' }, { write: (line) => void logged.push(JSON.parse(line)) });
  const connection = await connectDatabase({
    url: world.database.url,
    limits: patientLimits,
    poolSize: 2,
    log,
  });
  world.atEnd(() => connection.close());
  platform = new PlatformScope(new Transactions(connection.orm, log), new Reader(connection.pool));
  alarms = new OperatorAlarms(platform, mailOut, log);
});

afterAll(async () => {
  await world.close();
});

const mails = async () => {
  const rows = await world.database.query<{ payload: { id: string; sealed: string } }>(
    `select payload from graphile_worker._private_jobs as job
     join graphile_worker._private_tasks as task on task.id = job.task_id where identifier = 'send-mail' order by job.id`,
  );
  return rows.map(({ payload }) => mailOut.open(payload).mail);
};
/** Moves the last confirmation of every alarm into the past by that time. */
const pass = (time: string) =>
  world.database.query('update operator_alarm set confirmed_at = confirmed_at - $1::interval', [time]);
const ageOf = async (name: string) =>
  (await platform.read('health', readQueues)).ages.find((one) => one.name === name)?.oldestSeconds;

it('notifies every super admin once of an overdue row, and ends when it is taken', async () => {
  const tenant = await world.createTenant();
  const instanceId = await createInstance(world, tenant, { host_id: await createHost(world, tenant) });
  await world.database.query(
    `insert into session_change (license_id, sign, instance_id, steam_id, started_at, has_join, queued_at)
     values ($1, 1, $2, '1', now(), true, now() - interval '2 hours')`,
    [tenant.license.id, instanceId],
  );
  await alarms.run();
  await alarms.run();
  expect(await mails()).toEqual([
    {
      to: adminEmail,
      template: 'operator-alarm',
      values: { subject: 'queue session_change', detail: expect.stringMatching(/waited for 72\d\d seconds/) },
    },
  ]);
  expect(logged.map(({ level, subject }) => [level, subject])).toEqual([[50, 'queue session_change']]);
  const health = await world.call('get', '/api/admin/health', world.admin).expect(200);
  expect(health.body.queues).toContainEqual({
    name: 'session_change',
    oldest_seconds: expect.any(Number),
    max_seconds: 600,
    is_late: true,
  });
  await world.database.query('delete from session_change');
  await alarms.run();
  expect(logged).toHaveLength(1);
  await pass('9 minutes');
  await alarms.run();
  expect(logged).toHaveLength(1);
  await pass('2 minutes');
  await alarms.run();
  expect(logged.at(-1)).toMatchObject({ level: 30, subject: 'queue session_change' });
  expect(await ageOf('session_change')).toBeNull();
});

it('notifies about dead jobs, and again each time their number doubles', async () => {
  const reported = async () =>
    (await mails())
      .map(({ values }) => values as { subject: string; detail: string })
      .filter(({ subject }) => subject === 'dead jobs')
      .map(({ detail }) => Number.parseInt(detail, 10));
  const die = async (count: number) => {
    await world.database.query(
      `select graphile_worker.add_job('relay-commands', '{"host_id":"x"}', max_attempts => 1)
       from generate_series(1, $1)`,
      [count],
    );
    await world.database.query(
      'update graphile_worker._private_jobs set attempts = max_attempts where max_attempts = 1',
    );
    await Promise.all([alarms.run(), alarms.run()]);
  };
  await die(1);
  expect(await reported()).toEqual([1]);
  await die(1);
  expect(await reported()).toEqual([1, 2]);
  await die(1);
  expect(await reported()).toEqual([1, 2]);
  await die(20);
  expect(await reported()).toEqual([1, 2, 23]);
});

it('reports jobs that a worker has held for too long', async () => {
  await world.database.query(`select graphile_worker.add_job('relay-commands', '{"host_id":"stuck"}')`);
  const hold = (minutes: number) =>
    world.database.query(
      `update graphile_worker._private_jobs set locked_by = 'hanging', locked_at = now() - make_interval(mins => $1)
       where payload ->> 'host_id' = 'stuck'`,
      [minutes],
    );
  await hold(14);
  expect((await platform.read('health', readQueues)).stuckJobs).toBe(0);
  await hold(16);
  expect((await platform.read('health', readQueues)).stuckJobs).toBe(1);
  await alarms.run();
  expect((await mails()).map(({ values }) => values)).toContainEqual({
    subject: 'stuck jobs',
    detail:
      'Workers have held 1 jobs for more than 15 minutes. List them with GET /api/admin/jobs?status=stuck.',
  });
});

it('treats a value that oscillates around its limit as one incident', async () => {
  const tenant = await world.createTenant();
  const instanceId = await createInstance(world, tenant, { host_id: await createHost(world, tenant) });
  const mailed = async () =>
    (await mails()).filter(({ values }) => JSON.stringify(values).includes('queue session_change')).length;
  const before = await mailed();
  for (let round = 0; round < 4; round += 1) {
    await world.database.query(
      `insert into session_change (license_id, sign, instance_id, steam_id, started_at, has_join, queued_at)
       values ($1, 1, $2, '1', now(), true, now() - interval '20 minutes')`,
      [tenant.license.id, instanceId],
    );
    await alarms.run();
    await world.database.query('delete from session_change');
    await pass('3 minutes');
    await alarms.run();
  }
  expect(await mailed()).toBe(before + 1);
});

describe('knows for how long due rows have waited', () => {
  const hour = 3_600;
  const runningFor = (seconds: number) => ({
    state: 'running',
    state_at: new Date(Date.now() - seconds * 1_000),
  });

  it('of wipes to be counted', async () => {
    const tenant = await world.createTenant();
    await world.database.query(
      `insert into wipe_retention (license_id, wipe_id, instance_id, wiped_at, queued_at)
       values ($1, $2, $2, now() - interval '1 year', now() - interval '1 hour')`,
      [tenant.license.id, randomUUID()],
    );
    const age = await ageOf('wipe_retention');
    expect([age, (age ?? 0) < 2 * hour]).toEqual([expect.any(Number), true]);
    expect(age).toBeGreaterThanOrEqual(hour);
  });

  it('of purchases to be delivered, since their game server runs', async () => {
    const tenant = await world.createTenant();
    const instance_id = await createInstance(world, tenant, runningFor(hour));
    await createStoreDelivery(world, tenant, {
      instance_id,
      status: 'waiting',
      finished_at: null,
      next_attempt_at: new Date(Date.now() - 3 * hour * 1_000),
    });
    expect(await ageOf('store_delivery')).toBeGreaterThanOrEqual(hour);
    expect(await ageOf('store_delivery')).toBeLessThan(2 * hour);
    await world.database.query(`update game_instance set state = 'stopped' where id = $1`, [instance_id]);
    expect(await ageOf('store_delivery')).toBeNull();
  });

  it('of subscriptions to be renewed, of active licenses', async () => {
    const tenant = await world.createTenant();
    await createModuleSubscription(world, tenant, {
      period_start: new Date(Date.now() - 30 * 24 * hour * 1_000),
      period_end: new Date(Date.now() - hour * 1_000),
    });
    expect(await ageOf('subscription')).toBeGreaterThanOrEqual(hour);
    await world.database.query(`update license set status = 'revoked' where id = $1`, [tenant.license.id]);
    expect(await ageOf('subscription')).toBeNull();
  });

  it('of bills to be recorded', async () => {
    expect(await ageOf('reseller_bill')).toBeNull();
    await createReseller(world, { created_at: new Date(Date.now() - 70 * 24 * hour * 1_000) });
    expect(await ageOf('reseller_bill')).toBeGreaterThan(24 * hour);
  });

  it('of bans to be lifted', async () => {
    const tenant = await world.createTenant();
    const instance_id = await createInstance(world, tenant, runningFor(2 * hour));
    await insertRow(world, 'player_action', {
      license_id: tenant.license.id,
      instance_id,
      steam_id: '76561197960287930',
      instance_name: 'main',
      kind: 'ban',
      status: 'succeeded',
      until: new Date(Date.now() - hour * 1_000),
    });
    expect(await ageOf('player_action')).toBeGreaterThanOrEqual(hour);
  });
});

it('knows the age of every queue, and reports it in the metrics of each replica', async () => {
  expect((await platform.read('health', readQueues)).ages.map(({ name }) => name)).toEqual(
    Object.keys(queues),
  );
  const replica = await world.addReplica();
  const { url = '' } = replica;
  const { text } = await (async () => {
    for (;;) {
      const body = await (await fetch(`${url}/metrics`)).text();
      if (body.includes('gantry_queue_oldest_seconds{queue="jobs"}')) return { text: body };
    }
  })();
  for (const name of Object.keys(queues))
    expect(text).toContain(`gantry_queue_oldest_seconds{queue="${name}"}`);
});

it('says in its message when the next one comes', () => {
  const values = { subject: 'dead jobs', detail: '1 job.' };
  const { text } = render(templates['operator-alarm'], values, 'https://panel.example.com');
  expect(text).toContain('The next message comes when the figure has doubled');
});
