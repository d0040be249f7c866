// Silently dropped connections to PostgreSQL are detected soon; long statements continue.
import type pg from 'pg';
import { pino } from 'pino';
import { clientConfig, createClient, defaultLimits, LimitedPool } from '../../src/database/client.ts';
import { SessionGenerations } from '../../src/database/session-generations.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';
import { patient } from '../support/patience.ts';

/** With the default limit of silence: an earlier end was found by querying the server. */
const limits = { silenceCheckMs: 300 };
const lost = { code: 'ETIMEDOUT' };

let database: TestDatabase;
let proxy: TcpProxy;
let url: string;

beforeEach(async () => {
  database = await createTestDatabase();
  const direct = new URL(database.url);
  proxy = await TcpProxy.start({ path: `${decodeURIComponent(direct.hostname)}/.s.PGSQL.${direct.port}` });
  direct.hostname = '127.0.0.1';
  direct.port = String(proxy.port);
  url = direct.href;
});

afterEach(async () => {
  await proxy.stop();
  await database.drop();
});

async function connected(): Promise<pg.Client> {
  const client = createClient({ url, limits });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

it('a statement on a dropped connection fails once the server reports that it does not run', async () => {
  const client = await connected();
  proxy.forget();
  const begun = performance.now();
  await expect(client.query('select 1')).rejects.toMatchObject(lost);
  expect(performance.now() - begun).toBeLessThan(patient(12_000));
});

it('a statement fails within twelve seconds when the server cannot be queried either, with the default limits', async () => {
  expect(defaultLimits.silenceCheckMs).toBe(5_000);
  const client = createClient({ url });
  client.on('error', () => undefined);
  await client.connect();
  proxy.stall();
  const begun = performance.now();
  await expect(client.query('select 1')).rejects.toMatchObject(lost);
  const tookMs = performance.now() - begun;
  expect(tookMs).toBeGreaterThan(5_000);
  expect(tookMs).toBeLessThan(patient(20_000));
});

it('a statement that the server is running continues, however often it is checked', async () => {
  const client = await connected();
  const { rows } = await client.query<{ done: boolean }>('select pg_sleep(3) is not null as done');
  expect(rows).toEqual([{ done: true }]);
  await client.end();
});

it('a statement continues when the server refuses the check', async () => {
  const client = await connected();
  const name = new URL(url).pathname.slice(1);
  await database.query(`alter database ${name} connection limit 0`);
  const { rows } = await client.query<{ done: boolean }>('select pg_sleep(3) is not null as done');
  expect(rows).toEqual([{ done: true }]);
  await client.end();
});

it('a dropped connection costs one caller its statement: all earlier sessions are replaced', async () => {
  const generations = new SessionGenerations();
  const pools = Array.from(
    { length: 2 },
    () =>
      new LimitedPool({ ...clientConfig({ url, limits, generations }), max: 3 }, pino({ level: 'silent' })),
  );
  try {
    for (const pool of pools) {
      const clients = await Promise.all(Array.from({ length: 3 }, () => pool.connect()));
      for (const client of clients) client.release();
    }
    proxy.forget();
    await expect(pools[0]?.query('select 1')).rejects.toMatchObject(lost);
    await Promise.all(pools.flatMap((pool) => [1, 2, 3].map(() => pool.query('select 1'))));
  } finally {
    await Promise.all(pools.map((pool) => pool.end()));
  }
});
