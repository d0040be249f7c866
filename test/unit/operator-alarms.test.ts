// Alarms for the operator: rows that wait for too long and jobs that are dead are logged, mailed once, and end by themselves.
import { pino } from 'pino';
import { connectDatabase } from '../../src/database/connection.ts';
import { PlatformScope } from '../../src/database/platform-scope.ts';
import { Reader } from '../../src/database/reader.ts';
import { Transactions } from '../../src/database/transactions.ts';
import { MailOut } from '../../src/services/mail.ts';
import { OperatorAlarms } from '../../src/services/operator-alarms.ts';
import { QueueWatch, queues } from '../../src/services/queue-ages.ts';
import { createHost, createInstance } from '../support/rows.ts';
import { adminEmail, jwtSecret, World } from '../support/world.ts';

let world: World;
let alarms: OperatorAlarms;
let watch: QueueWatch;
const logged: { level: number; subject?: string }[] = [];
const mailOut = new MailOut(jwtSecret);

beforeAll(async () => {
  world = await World.create({ roles: ['api'] });
  const log = pino({ level: 'info' }, { write: (line) => void logged.push(JSON.parse(line)) });
  const connection = await connectDatabase({ url: world.database.url, poolSize: 2, log });
  world.atEnd(() => connection.close());
  const platform = new PlatformScope(new Transactions(connection.orm, log), new Reader(connection.pool));
  watch = new QueueWatch(platform);
  alarms = new OperatorAlarms(watch, platform, mailOut, log);
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
const ageOf = async (name: string) =>
  (await watch.read()).ages.find((one) => one.name === name)?.oldestSeconds;

it('tells every super admin once of a row that waits for too long, and ends when it is taken', async () => {
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
  expect(logged.at(-1)).toMatchObject({ level: 30, subject: 'queue session_change' });
  expect(await ageOf('session_change')).toBeNull();
});

it('tells of jobs that are not tried again', async () => {
  await world.database.query(
    `select graphile_worker.add_job('relay-commands', '{"host_id":"x"}', max_attempts => 1)`,
  );
  await world.database.query(
    'update graphile_worker._private_jobs set attempts = max_attempts where max_attempts = 1',
  );
  await alarms.run();
  expect((await mails()).at(-1)?.values).toMatchObject({ subject: 'dead jobs' });
});

it('knows the age of every queue, and says so in the metrics of each replica', async () => {
  expect((await watch.read()).ages.map(({ name }) => name)).toEqual(Object.keys(queues));
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
