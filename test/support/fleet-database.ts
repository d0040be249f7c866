// A database with a license, and its scopes, for tests that need no HTTP and no bus.
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { Contexts, type Ctx } from '../../src/context.ts';
import { connectDatabase, type DatabaseConnection } from '../../src/database/connection.ts';
import { PlatformScope } from '../../src/database/platform-scope.ts';
import { Reader } from '../../src/database/reader.ts';
import { TenantScope } from '../../src/database/tenant-scope.ts';
import { Transactions } from '../../src/database/transactions.ts';
import { patientLimits, createTestDatabase, type TestDatabase } from './database.ts';

export interface FleetDatabase {
  database: TestDatabase;
  connection: DatabaseConnection;
  platform: PlatformScope;
  tenant: TenantScope;
  licenseId: string;
  /** Runs in the scope of the license. */
  inLicense<T>(work: (ctx: Ctx) => Promise<T>): Promise<T>;
  createHost(): Promise<string>;
  /** A new instance of the host, stopped since then. */
  createInstance(hostId: string, since?: Date): Promise<{ id: string; name: string }>;
  close(): Promise<void>;
}

export async function openFleetDatabase(): Promise<FleetDatabase> {
  const log = pino({ level: 'silent' });
  const database = await createTestDatabase();
  const connection = await connectDatabase({ url: database.url, limits: patientLimits, log });
  const transactions = new Transactions(connection.orm, log);
  const reader = new Reader(connection.pool);
  const tenant = new TenantScope(transactions, reader);
  const contexts = new Contexts(tenant, transactions);
  const [license] = await database.query<{ id: string }>(
    `insert into license (key, name, subdomain, companion_token_hash) values ('k', 'n', 's', 'h') returning id`,
  );
  const licenseId = license?.id ?? '';
  return {
    database,
    connection,
    platform: new PlatformScope(transactions, reader),
    tenant,
    licenseId,
    inLicense: (work) => contexts.forJob('test', licenseId, work),
    createHost: async () => {
      const [row] = await database.query<{ id: string }>(
        `insert into agent_host (license_id, hostname, platform, agent_version, bus_public_key)
         values ($1, gen_random_uuid(), 'test', '0.0.0', gen_random_uuid()) returning id`,
        [licenseId],
      );
      return row?.id ?? '';
    },
    createInstance: async (hostId, since = new Date()) => {
      const name = `instance-${randomUUID()}`;
      const [row] = await database.query<{ id: string }>(
        `insert into game_instance (license_id, host_id, name, state, state_at) values ($1, $2, $3, 'stopped', $4) returning id`,
        [licenseId, hostId, name, since],
      );
      return { id: row?.id ?? '', name };
    },
    close: async () => {
      await connection.close();
      await database.drop();
    },
  };
}
