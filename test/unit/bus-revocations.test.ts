// Concurrent revocations of bus keys, on one replica or on several.
import { pino } from 'pino';
import type { AgentCredentials } from '../../src/bus/agent-credentials.ts';
import { connectDatabase, type DatabaseConnection } from '../../src/database/connection.ts';
import { PlatformScope } from '../../src/database/platform-scope.ts';
import { Reader } from '../../src/database/reader.ts';
import { Transactions } from '../../src/database/transactions.ts';
import { BusRevocations } from '../../src/services/agents/bus-revocations.ts';
import { patientLimits, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

let database: TestDatabase;
let connection: DatabaseConnection;
let platform: PlatformScope;

beforeAll(async () => {
  database = await createTestDatabase();
  connection = await connectDatabase({
    url: database.url,
    limits: patientLimits,
    log: pino({ level: 'silent' }),
  });
  platform = new PlatformScope(
    new Transactions(connection.orm, pino({ level: 'silent' })),
    new Reader(connection.pool),
  );
});

afterAll(async () => {
  await connection.close();
  await database.drop();
});

/** A broker that keeps the latest list. `delay` is how long it takes to apply a list. */
function createBroker(delay: (keys: string[]) => Promise<void>) {
  const broker = {
    lifetimeMs: 900_000,
    believed: [] as string[],
    async revoke(list: { publicKey: string }[]) {
      const keys = list.map(({ publicKey }) => publicKey);
      await delay(keys);
      broker.believed = keys;
    },
  };
  return broker;
}

const revocationsAt = (broker: ReturnType<typeof createBroker>) => ({
  async revoke(keys: string[]) {
    await database.query('select revoke_bus_keys(null, $1::text[])', [keys]);
    await new BusRevocations(platform, broker as unknown as AgentCredentials).publish();
  },
});

it('the broker ends up with all of them, although the shorter list reaches it last', async () => {
  const longer = Promise.withResolvers<void>();
  let isAsked = false;
  const broker = createBroker(async (keys) => {
    isAsked = true;
    if (keys.includes('second')) longer.resolve();
    else {
      await longer.promise;
      await new Promise(setImmediate);
    }
  });
  const first = revocationsAt(broker).revoke(['first']);
  await until(() => isAsked, 'the first list');
  await Promise.all([first, revocationsAt(broker).revoke(['second'])]);
  expect(broker.believed).toEqual(['first', 'second']);
});

it('keys whose credentials have expired anyway are not sent to the broker', async () => {
  await database.query(
    `insert into bus_revocation (public_key, revoked_at) values ('ancient', now() - interval '1 hour')`,
  );
  const broker = createBroker(async () => undefined);
  await revocationsAt(broker).revoke(['recent']);
  expect(broker.believed).toContain('recent');
  expect(broker.believed).not.toContain('ancient');
});

it('a key that is revoked twice is revoked as of the second time', async () => {
  await database.query(
    `insert into bus_revocation (public_key, revoked_at) values ('twice', now() - interval '10 minutes')`,
  );
  await revocationsAt(createBroker(async () => undefined)).revoke(['twice']);
  const [row] = await database.query<{ fresh: boolean }>(
    `select revoked_at > now() - interval '1 minute' as fresh from bus_revocation where public_key = 'twice'`,
  );
  expect(row).toEqual({ fresh: true });
});
