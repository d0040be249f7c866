// Stored simulated hosts: which have due steps, which are unused, and what their heartbeats read.
import { pino } from 'pino';
import { connectDatabase, type DatabaseConnection } from '../../src/database/connection.ts';
import { PlatformScope } from '../../src/database/platform-scope.ts';
import { Reader } from '../../src/database/reader.ts';
import { Transactions } from '../../src/database/transactions.ts';
import { startSimulation } from '../../src/sandbox/simulation.ts';
import { StoredHosts, storeHost } from '../../src/sandbox/stored-hosts.ts';
import { patientLimits, createTestDatabase, type TestDatabase } from '../support/database.ts';

const log = pino({ level: 'silent' });
const owner = '0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a09';

let database: TestDatabase;
let connection: DatabaseConnection;
let hosts: StoredHosts;
let licenseId: string;
let hostId: string;

/** A sandbox of two hours, with a host whose next step is a round of its players. */
beforeEach(async () => {
  database = await createTestDatabase();
  connection = await connectDatabase({ url: database.url, limits: patientLimits, poolSize: 2, log });
  const platform = new PlatformScope(new Transactions(connection.orm, log), new Reader(connection.pool));
  hosts = new StoredHosts(platform);
  const [created] = await database.query<{ license: string; host: string }>(
    `with license as (
       insert into license (key, name, subdomain, companion_token_hash, is_sandbox) values ('s', 's', 's', 's', true)
       returning id
     ), sandbox as (
       insert into sandbox (license_id, seed, expires_at, created_at)
       select id, 1, now() + interval '1 day', now() - interval '2 hours' from license
     ), host as (
       insert into agent_host (license_id, hostname, platform, agent_version, bus_public_key)
       select id, 's', 's', 's', 's' from license returning id, license_id
     )
     select license_id as license, id as host from host`,
  );
  ({ license: licenseId, host: hostId } = created ?? { license: '', host: '' });
  const host = startSimulation(1, Date.now() - 120_000);
  await platform.transact('sandboxes', (em) => storeHost(em, { licenseId, hostId, host }));
  await hosts.lease(owner, { seconds: 60, renewedSeconds: 0 });
  await hosts.act(hostId, (stored) => {
    stored.outbox = [];
    stored.signs = [];
  });
  await database.query(`update simulated_host set next_step_at = now() - interval '1 minute'`);
});

afterEach(async () => {
  await connection.close();
  await database.drop();
});

const due = () => hosts.due(owner, 10);

it('players of an unused sandbox neither come nor go, until it is used again', async () => {
  expect(await due()).toEqual([hostId]);
  await hosts.markUnused();
  expect(await due()).toEqual([]);
  await database.query(`update simulated_host set next_milestone_at = now() - interval '1 minute'`);
  expect(await due()).toEqual([hostId]);
  await database.query('update simulated_host set next_milestone_at = null');
  await database.query('update sandbox set reset_at = now()');
  await hosts.markUnused();
  expect(await due()).toEqual([hostId]);
});

it.each([
  [
    'a webhook',
    `insert into webhook (license_id, name, url, events, secret) select id, 'w', 'https://example.com', '{*}', 's' from license`,
  ],
  [
    'a key that was used within the hour',
    `with owner as (insert into user_account (email) values ('o@sandbox.invalid') returning id)
     insert into api_key (license_id, name, identifier, secret_hash, permissions, created_by, created_by_id, last_used_at)
     select license.id, 'k', 'k', 'k', '{}', 'o', owner.id, now() - interval '50 minutes' from license, owner`,
  ],
  [
    'a session that was used within the hour',
    `with owner as (
       insert into user_account (email, sandbox_license_id) select 'o@sandbox.invalid', id from license returning id
     )
     insert into user_session (user_id, last_used_at) select id, now() - interval '50 minutes' from owner`,
  ],
])('a sandbox with %s is used', async (_what, insert) => {
  await database.query(insert);
  await hosts.markUnused();
  expect(await due()).toEqual([hostId]);
});

it('heartbeats read what they report, and not the files of the host', async () => {
  await hosts.act(hostId, (host) => {
    host.files['main'] = { big: 'x'.repeat(300_000) };
  });
  const [read] = await hosts.read([hostId]);
  expect(read?.host.servers['main']).toMatchObject({ state: 'running', maxPlayers: 100 });
  expect(JSON.stringify(read).length).toBeLessThan(1_000);
});
