// Periodic work that ends or deletes many rows runs in bounded transactions, without waiting for locked rows.
import { pino } from 'pino';
import { connectDatabase, type DatabaseConnection } from '../../src/database/connection.ts';
import { PlatformScope } from '../../src/database/platform-scope.ts';
import { Reader } from '../../src/database/reader.ts';
import { Transactions } from '../../src/database/transactions.ts';
import { endLostRuns, expireCommands, runMaintenance } from '../../src/jobs/housekeeping.ts';
import { BatchRunner } from '../../src/jobs/in-batches.ts';
import { giveUpDeliveries, giveUpOrders } from '../../src/services/store/deliveries/expiry.ts';
import { endLostWipes } from '../../src/services/wipes/outcomes.ts';
import { patientLimits, createTestDatabase, type TestDatabase } from '../support/database.ts';

const log = pino({ level: 'silent' });

let database: TestDatabase;
let connection: DatabaseConnection;
let runner: BatchRunner;

beforeAll(async () => {
  database = await createTestDatabase();
  connection = await connectDatabase({ url: database.url, limits: patientLimits, poolSize: 2, log });
  runner = new BatchRunner(
    new PlatformScope(new Transactions(connection.orm, log), new Reader(connection.pool)),
  );
  await database.query(
    `with own as (
       insert into license (key, name, subdomain, companion_token_hash) values ('own', 'own', 'own', 'own') returning id
     ), host as (
       insert into agent_host (license_id, hostname, platform, agent_version, bus_public_key)
       select id, 'host', 't', 't', 'key' from own returning id, license_id
     )
     insert into game_instance (license_id, host_id, name) select license_id, id, 'main' from host`,
  );
});

afterAll(async () => {
  await connection.close();
  await database.drop();
});

interface Case {
  name: string;
  work: () => Promise<unknown>;
  table: string;
  /** Creates 1,100 due rows. */
  fill: string;
  isLeft: string;
  maxRows: number;
}

const cases: Case[] = [
  {
    name: 'expire commands',
    work: () => runner.repeat(expireCommands),
    table: 'command',
    fill: `insert into command (license_id, host_id, instance_id, kind, expires_at)
      select license_id, host_id, id, 'start', now() - interval '1 minute' from game_instance, generate_series(1, 1100)`,
    isLeft: `status = 'queued'`,
    maxRows: 500,
  },
  {
    name: 'end lost wipes',
    work: () => runner.repeat(endLostWipes),
    table: 'wipe_history',
    fill: `insert into wipe_history (license_id, instance_name, kind, status, countdown_seconds, with_backup, with_start)
      select license_id, name, 'map', 'planned', 0, false, false from game_instance, generate_series(1, 1100)`,
    isLeft: 'finished_at is null',
    maxRows: 300,
  },
];

it.each(cases)('$name', async ({ work, table, fill, isLeft, maxRows }) => {
  await database.query(fill);
  const client = await connection.pool.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query<{ id: string }>(`select id from ${table} limit 1 for update`);
    await work();
    expect(await database.query(`select id from ${table} where ${isLeft}`)).toEqual(rows);
  } finally {
    await client.query('rollback');
    client.release();
  }
  const batches = await database.query<{ count: number }>(
    `select count(*)::int as count from ${table} where not (${isLeft}) group by xmin::text order by 1 desc`,
  );
  expect(Math.max(...batches.map(({ count }) => count))).toBe(maxRows);
  await work();
  expect(await database.query(`select from ${table} where ${isLeft}`)).toEqual([]);
});

it('delete old rows in more than one transaction, and skip locked ones', async () => {
  await database.query(
    `insert into bus_revocation (public_key, revoked_at)
     select 'key ' || n, now() - interval '3 days' from generate_series(1, 5100) as n`,
  );
  const client = await connection.pool.connect();
  try {
    await client.query('begin');
    await client.query(`select from bus_revocation where public_key = 'key 7' for update`);
    await runMaintenance(runner);
    expect(await database.query('select public_key from bus_revocation')).toEqual([{ public_key: 'key 7' }]);
  } finally {
    await client.query('rollback');
    client.release();
  }
  await runMaintenance(runner);
  expect(await database.query('select from bus_revocation')).toEqual([]);
});

it('delete the output of console commands, and keep the commands', async () => {
  await database.query(
    `insert into command (license_id, host_id, instance_id, kind, status, detail, expires_at, created_at, output)
     select license_id, host_id, id, 'type', 'succeeded', age::text, now(), now() - make_interval(days => age),
       '{"text":"secret","is_truncated":false,"source":"reply"}' from game_instance, unnest(array[6, 8]) as age`,
  );
  await runMaintenance(runner);
  const typed = `select detail, output ->> 'text' as text from command where kind = 'type' order by detail`;
  expect(await database.query(typed)).toEqual([
    { detail: '6', text: 'secret' },
    { detail: '8', text: null },
  ]);
});

it.each([
  ['lost runs', () => runner.repeat(endLostRuns)],
  ['orders', () => runner.repeat(giveUpOrders)],
  ['deliveries', () => runner.repeat((em) => giveUpDeliveries(em))],
])('end once nothing is left of %s', async (_name, work) => {
  await expect(work()).resolves.toBeUndefined();
});
