// Replicas that start together migrate one after the other; waiting for a stalled one is limited.
import pg from 'pg';
import { pino } from 'pino';
import { takeMigrationLock } from '../../src/database/migration-lock.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

interface Line {
  msg: string;
  holder: { pid: number };
}

let database: TestDatabase;
let clients: pg.Client[];
let lines: Line[];
const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line) as Line) });

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

beforeEach(() => {
  clients = [];
  lines = [];
});

afterEach(async () => {
  await Promise.all(clients.map((client) => client.end()));
});

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url });
  clients.push(client);
  await client.connect();
  return client;
}

const pidOf = async (client: pg.Client) =>
  (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid;

it('is waited for while its holder shows progress, which the log reports occasionally', async () => {
  const [first, second] = [await connect(), await connect()];
  await takeMigrationLock(first, log);
  const taken = takeMigrationLock(second, log, { sayEveryMs: 50 });
  const pid = await pidOf(first);
  await until(() => lines.length > 2, 'lines of the log');
  expect(lines[0]).toMatchObject({
    msg: 'another session migrates the database; this one waits for it',
    holder: { pid },
  });
  await first.query('select pg_advisory_unlock_all()');
  await taken;
  expect((await second.query('show lock_timeout')).rows).toEqual([{ lock_timeout: '0' }]);
});

it('is abandoned with an error that names the session when its holder is silent', async () => {
  const [first, second] = [await connect(), await connect()];
  await takeMigrationLock(first, log);
  const pid = await pidOf(first);
  await expect(takeMigrationLock(second, log, { sayEveryMs: 50, maxSilenceSeconds: 0.5 })).rejects.toThrow(
    new RegExp(
      `session ${pid} of this machine holds the lock of migrations and has been silent for \\d+ seconds`,
    ),
  );
});
