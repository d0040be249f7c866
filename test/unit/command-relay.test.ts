// The lease of a host whose commands are relayed, once a run has taken longer than its lease.
import { pino } from 'pino';
import { connectDatabase, type DatabaseConnection } from '../../src/database/connection.ts';
import { PlatformScope } from '../../src/database/platform-scope.ts';
import { Reader } from '../../src/database/reader.ts';
import { Transactions } from '../../src/database/transactions.ts';
import { CommandRelay, type RelayParts } from '../../src/services/commands/relay.ts';
import { patientLimits, createTestDatabase, type TestDatabase } from '../support/database.ts';

const log = pino({ level: 'silent' });

let database: TestDatabase;
let connection: DatabaseConnection;
let hostId: string;

beforeEach(async () => {
  database = await createTestDatabase();
  connection = await connectDatabase({ url: database.url, limits: patientLimits, poolSize: 2, log });
  const [host] = await database.query<{ id: string }>(
    `with license as (
       insert into license (key, name, subdomain, companion_token_hash) values ('a', 'a', 'a', 'a') returning id
     ), host as (
       insert into agent_host (license_id, hostname, platform, agent_version, bus_public_key)
       select id, 'a', 'a', 'a', 'a' from license returning id, license_id
     ), instance as (
       insert into game_instance (license_id, host_id, name) select license_id, id, 'a' from host
       returning id, license_id, host_id
     ), command as (
       insert into command (license_id, host_id, instance_id, kind, status, expires_at)
       select license_id, host_id, id, 'start', 'queued', now() + interval '1 hour' from instance
     )
     select id from host`,
  );
  hostId = host?.id ?? '';
});

afterEach(async () => {
  await connection.close();
  await database.drop();
});

/** Relays the command; the agent replies after `meanwhile`. Returns what the host's row then has. */
async function relay(meanwhile: () => Promise<unknown>) {
  const commands = new CommandRelay({
    platform: new PlatformScope(new Transactions(connection.orm, log), new Reader(connection.pool)),
    bus: { sendCommand: () => meanwhile().then(() => ({ v: 1, accepted: true })) },
    ends: { announce: () => undefined },
    mapLinks: { complete: (args: unknown) => args },
    log,
  } as unknown as RelayParts);
  await commands.relay(hostId);
  const [host] = await database.query(
    'select relay_until > now() as is_leased, is_silent from agent_host where id = $1',
    [hostId],
  );
  return host;
}

const agentReplies = () => Promise.resolve();

/** Another run leases the host after the lease of this one, and finds its agent silent. */
const anotherRunBegins = () =>
  database.query(
    `update agent_host set relay_until = relay_until + interval '12 seconds', is_silent = true where id = $1`,
    [hostId],
  );

it('the lease of a host ends with the run', async () => {
  await database.query('update agent_host set is_silent = true');
  expect(await relay(agentReplies)).toEqual({ is_leased: null, is_silent: false });
});

it('the lease of a host stays with the run that took it over', async () => {
  expect(await relay(anotherRunBegins)).toEqual({ is_leased: true, is_silent: true });
});
