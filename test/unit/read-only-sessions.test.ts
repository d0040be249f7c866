// Database sessions opened while the database was read-only are not used once it is writable again.
import { pino } from 'pino';
import { createClient, isOutdated, LimitedPool, clientConfig } from '../../src/database/client.ts';
import { connectDatabase, type DatabaseConnection } from '../../src/database/connection.ts';
import { SessionGenerations } from '../../src/database/session-generations.ts';
import { Transactions } from '../../src/database/transactions.ts';
import { WriteCheck } from '../../src/database/write-check.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const log = pino({ level: 'silent' });
const refusal = { code: '25006' };
const write = 'create table if not exists written ()';

let database: TestDatabase;
let generations: SessionGenerations;
let connection: DatabaseConnection;

beforeEach(async () => {
  database = await createTestDatabase();
  generations = new SessionGenerations();
  connection = await connectDatabase({ url: database.url, poolSize: 3, generations, log });
});

afterEach(async () => {
  await connection.close();
  await database.drop();
});

/** Sessions keep the mode in which they began. */
async function setReadOnly(isReadOnly: boolean): Promise<void> {
  const name = new URL(database.url).pathname.slice(1);
  await database.query(
    `alter database ${name} set default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`,
  );
}

/** Opens that many sessions of the pool while the database is read-only. */
async function openReadOnly(pool: LimitedPool, count: number): Promise<void> {
  await setReadOnly(true);
  const clients = await Promise.all(Array.from({ length: count }, () => pool.connect()));
  for (const client of clients) client.release();
  await setReadOnly(false);
}

it('one that refused a write is closed, and so are the others opened before', async () => {
  const { pool } = connection;
  await openReadOnly(pool as LimitedPool, 3);
  await expect(pool.query(write)).rejects.toMatchObject(refusal);
  await pool.query(write);
  expect(pool.totalCount).toBeLessThanOrEqual(3);
});

it('one that refused a write in a transaction is closed when it is released', async () => {
  const { pool } = connection;
  await openReadOnly(pool as LimitedPool, 1);
  const client = await pool.connect();
  await client.query('begin');
  await expect(client.query(write)).rejects.toMatchObject(refusal);
  await client.query('rollback');
  client.release();
  expect(pool.totalCount).toBe(0);
});

it('what one pool detects applies to every pool of the process', async () => {
  const other = new LimitedPool({ ...clientConfig({ url: database.url, generations }), max: 2 }, log);
  try {
    await openReadOnly(other, 2);
    await openReadOnly(connection.pool as LimitedPool, 1);
    await expect(connection.pool.query(write)).rejects.toMatchObject(refusal);
    await other.query(write);
  } finally {
    await other.end();
  }
});

it("a long-held one, such as the job listener's, is known to be outdated", async () => {
  await openReadOnly(connection.pool as LimitedPool, 2);
  const listener = await connection.pool.connect();
  expect(isOutdated(listener)).toBe(false);
  await expect(connection.pool.query(write)).rejects.toMatchObject(refusal);
  expect(isOutdated(listener)).toBe(true);
  listener.release();
});

it('one outside a pool closes itself after it has refused a write', async () => {
  await setReadOnly(true);
  const client = createClient({ url: database.url, generations });
  await client.connect();
  const ended = new Promise((resolve) => client.once('end', resolve));
  await client.query('begin');
  await expect(client.query(write)).rejects.toMatchObject(refusal);
  await client.query('rollback');
  await ended;
});

it('a transaction is retried on a new session, so that callers notice nothing', async () => {
  const transactions = new Transactions(connection.orm, log);
  await setReadOnly(true);
  await expect(transactions.run(null, (em) => em.execute(write))).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('read-only'),
  });
  await setReadOnly(false);
  await transactions.run(null, (em) => em.execute(write));
});

it('the write check uses a new session, in both directions', async () => {
  const writes = new WriteCheck(connection.pool, generations);
  await writes.check();
  await openReadOnly(connection.pool as LimitedPool, 3);
  await writes.check();
  await setReadOnly(true);
  generations.outdate(generations.current);
  await expect(writes.check()).rejects.toThrow('nothing can be written');
  await setReadOnly(false);
  await writes.check();
});
