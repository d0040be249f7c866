// Which receivers get the next leases when two processes request them concurrently.
import pg from 'pg';
import { nextReceivers } from '../../src/leases/lease-runner.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const gate = 4_711;

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

/** Reads the receivers as they are at its start, and waits at the gate before it leases any. */
function take(): Promise<{ id: string }[]> {
  const dueIds = `select id from webhook
    where (select count(*) from (select pg_advisory_xact_lock_shared(${gate})) as passed) = 1`;
  let number = 0;
  const sql = nextReceivers('webhook', dueIds, 'receiver.is_enabled').replaceAll('?', () => `$${++number}`);
  return client.query<{ id: string }>(sql, [10, 10]).then(({ rows }) => rows);
}

it('exclude those that another process has leased meanwhile', async () => {
  await database.query(
    `with license as (
       insert into license (key, name, subdomain, companion_token_hash) values ('a', 'a', 'a', 'a') returning id
     )
     insert into webhook (license_id, name, url, events, secret)
     select id, 'a', 'https://example.com', '{host.offline}', '' from license`,
  );
  expect(await take()).toHaveLength(1);
  const taken = await database.commitWhileWaiting(
    `with gate as materialized (select pg_advisory_xact_lock(${gate}))
     update webhook set served_until = now() + interval '1 minute' from gate`,
    [],
    take,
  );
  expect(taken).toEqual([]);
});
