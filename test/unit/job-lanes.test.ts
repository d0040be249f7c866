// Job lanes: an unresponsive external service, or one busy license, delays no command and no other license.
import { randomUUID } from 'node:crypto';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { pino } from 'pino';
import { Transactions } from '../../src/database/transactions.ts';
import { laneOf, lanes } from '../../src/jobs/lanes.ts';
import { startJobs } from '../../src/jobs/runner.ts';
import { createTasks, type TaskServices } from '../../src/jobs/tasks.ts';
import { createMailer } from '../../src/mail/mailer.ts';
import { S3Storage } from '../../src/storage/s3-storage.ts';
import { WorkMonitor } from '../../src/process/work-monitor.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

const log = pino({ level: 'silent' });

let database: TestDatabase;
let stop: () => Promise<void>;
let monitor: WorkMonitor;
/** Pending calls of the services, by argument. */
let hanging: unknown[] = [];
const done: unknown[] = [];
let release = Promise.withResolvers<void>();
/** Selects the calls that never return. */
let hangs: (argument: unknown) => boolean = () => true;

/** Any method of any service: it hangs or returns at once. */
const service: unknown = new Proxy(
  {},
  {
    get: () => async (argument: unknown) => {
      // Periodic work passes no argument, or the reason why it needs the rows of every license.
      if (argument === undefined || argument === 'jobs') return;
      if (hangs(argument)) {
        hanging.push(argument);
        await release.promise;
      } else done.push(argument);
    },
  },
);

beforeAll(async () => {
  database = await createTestDatabase();
  const services = new Proxy({}, { get: () => service }) as TaskServices;
  const transactions = new Transactions(undefined as never, log);
  monitor = new WorkMonitor(log);
  stop = await startJobs({ database: { url: database.url }, services, transactions, monitor, log });
});

afterAll(async () => {
  release.resolve();
  await stop();
  monitor.close();
  await database.drop();
});

beforeEach(() => {
  hanging = [];
  done.length = 0;
  release = Promise.withResolvers<void>();
});

afterEach(async () => {
  release.resolve();
  await until(async () => {
    const [row] = await database.query<{ count: number }>(
      'select count(*)::int as count from graphile_worker._private_jobs',
    );
    return row?.count === 0;
  }, 'the end of the jobs');
});

const enqueue = (task: string, payloads: object[], owner: string | null = randomUUID()) =>
  database.query(`select enqueue_job($1, payload, owner => $3) from unnest($2::json[]) as payload`, [
    task,
    payloads.map((payload) => JSON.stringify(payload)),
    owner,
  ]);

const payloads = (count: number, more: object = {}) =>
  Array.from({ length: count }, () => ({ license_id: randomUUID(), order_id: randomUUID(), ...more }));

it('every job has a lane, and commands share theirs with no external service', () => {
  const names = Object.keys(createTasks({} as TaskServices));
  expect(Object.keys(laneOf).sort()).toEqual(names.sort());
  const ofCommands = names.filter((name) => laneOf[name as keyof typeof laneOf] === 'commands');
  expect(ofCommands.sort()).toEqual(['publish-revocations', 'relay-commands']);
});

it.each(['send-mail', 'open-checkout', 'cancel-subscription', 'remove-file', 'apply-plugin-config'])(
  'a command is sent while every job of %s hangs',
  async (task) => {
    const host = randomUUID();
    hangs = (argument) => argument !== host;
    const named = { file_id: randomUUID(), reference: 'sub_1', id: randomUUID() };
    // Of many licenses: the share of a license does not prevent them from filling their lane together.
    await Promise.all(payloads(60, named).map((payload) => enqueue(task, [payload])));
    const lane = lanes[laneOf[task as keyof typeof laneOf]];
    await until(() => hanging.length === lane.maxRunning, 'a full lane');
    await enqueue('relay-commands', [{ host_id: host }]);
    await until(() => done.includes(host), 'the command', 1_500);
    expect(hanging).toHaveLength(lane.maxRunning);
  },
);

it.each([
  ['send-mail', (license: string) => ({ id: randomUUID(), sealed: license })],
  ['open-checkout', (license: string) => ({ license_id: license, order_id: license })],
  ['relay-commands', (license: string) => ({ host_id: license })],
] as const)("sixty jobs of one license for %s delay no other license's", async (task, payloadOf) => {
  const [busy, other] = [randomUUID(), randomUUID()];
  hangs = (argument) => JSON.stringify(argument).includes(busy);
  await enqueue(
    task,
    Array.from({ length: 60 }, () => payloadOf(busy)),
    busy,
  );
  const { maxOfLicense } = lanes[laneOf[task]];
  await until(() => hanging.length >= maxOfLicense, 'the share of the license');
  await enqueue(task, [payloadOf(other)], other);
  await until(() => done.some((argument) => JSON.stringify(argument).includes(other)), 'the other', 1_500);
  expect(hanging).toHaveLength(maxOfLicense);
});

it.each([
  ['send-mail', (name: string) => ({ id: name, sealed: name })],
  ['cancel-subscription', (name: string) => ({ reference: name })],
  ['remove-file', (name: string) => ({ file_id: name })],
])('sixty jobs of no license for %s share one quota', async (task, payloadOf) => {
  const [busy, other] = [randomUUID(), randomUUID()];
  hangs = (argument) => JSON.stringify(argument).includes(busy);
  await enqueue(
    task,
    Array.from({ length: 60 }, () => payloadOf(busy)),
    null,
  );
  const { maxOfLicense } = lanes[laneOf[task as keyof typeof laneOf]];
  await until(() => hanging.length >= maxOfLicense, 'the share of the kind');
  await enqueue(task, [payloadOf(other)], other);
  await until(() => done.some((argument) => JSON.stringify(argument).includes(other)), 'the other', 1_500);
  expect(hanging).toHaveLength(maxOfLicense);
});

describe('an external service that accepts connections and never responds', () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => {
    sockets.push(socket);
    // Single bytes do not count as progress.
    const drip = setInterval(() => socket.write('2'), 50);
    socket.on('close', () => clearInterval(drip)).on('error', () => undefined);
  });
  const port = () => (silent.address() as AddressInfo).port;

  beforeAll(() => new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve)));

  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });

  it('ends the connection to a mail server in time', async () => {
    const settings = { smtpUrl: `smtp://127.0.0.1:${port()}`, from: 'gantry@example.com', directory: '' };
    const mailer = createMailer(settings, log, 300);
    const mail = { id: 'one', to: 'ann@example.com', subject: '', text: '', html: '' };
    await expect(mailer.send(mail)).rejects.toThrow('within 300 ms');
    await until(() => sockets.every(({ destroyed, readableEnded }) => destroyed || readableEnded), 'the end');
    mailer.close();
  });

  it('ends any request to the storage in time', async () => {
    const settings = {
      endpoint: `http://127.0.0.1:${port()}`,
      bucket: 'files',
      region: 'eu-central-1',
      accessKeyId: 'id',
      secretAccessKey: 'secret',
      forcePathStyle: true,
    };
    const storage = new S3Storage(settings, 300);
    const key = `maps/${randomUUID()}/${randomUUID()}`;
    await expect(storage.remove(key)).rejects.toThrow('removal failed');
    await expect(storage.sizeOf(key)).rejects.toThrow('failed');
    await expect(storage.open(key)).rejects.toThrow('failed');
    storage.close();
  });
});
