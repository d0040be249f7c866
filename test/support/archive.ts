// The archive of a world without jobs: written on demand, queried as the command does, with players of some months.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino, type Logger } from 'pino';
import { listMonths, queryArchive, type MonthRange } from '../../src/archive/archive-query.ts';
import { MonthArchive } from '../../src/archive/month-archive.ts';
import { openCopyClient } from '../../src/archive/month-rows.ts';
import { connectDatabase } from '../../src/database/connection.ts';
import { PlatformScope } from '../../src/database/platform-scope.ts';
import { Reader } from '../../src/database/reader.ts';
import { TenantScope } from '../../src/database/tenant-scope.ts';
import { Transactions } from '../../src/database/transactions.ts';
import { LocalStorage } from '../../src/storage/local-storage.ts';
import { FileRemoval } from '../../src/storage/stored-files.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { createInstance } from './rows.ts';
import { World, type Tenant } from './world.ts';
import { patientLimits } from './database.ts';

interface ArchiveOptions {
  storage: Storage;
  months?: number;
  log?: Logger;
}

export interface TestArchive {
  directory: string;
  outcomes: string[];
  waiting: number[];
  run: () => Promise<void>;
  files: FileRemoval;
  ask: (licenseId: string, sql: string, range?: MonthRange) => Promise<unknown[][]>;
  close: () => Promise<void>;
}

export async function openTestArchive(
  databaseUrl: string,
  { storage, months = 24, log = pino({ level: 'silent' }) }: ArchiveOptions,
): Promise<TestArchive> {
  const directory = await mkdtemp(join(tmpdir(), 'gantry-archive-'));
  const connection = await connectDatabase({ url: databaseUrl, limits: patientLimits, poolSize: 2, log });
  const transactions = new Transactions(connection.orm, log);
  const reader = new Reader(connection.pool);
  const platform = new PlatformScope(transactions, reader);
  const [outcomes, waiting]: [string[], number[]] = [[], []];
  const archive = new MonthArchive({
    settings: { months, directory: join(directory, 'written') },
    database: { url: databaseUrl },
    platform,
    tenant: new TenantScope(transactions, reader),
    storage,
    progressed: () => undefined,
    counted: (outcome) => outcomes.push(outcome),
    waiting: (count) => waiting.push(count),
    log,
  });
  return {
    directory,
    outcomes,
    waiting,
    run: async () => {
      // Tests add months that would have come before.
      await connection.pool.query('delete from archive_completion');
      await archive.run();
    },
    files: new FileRemoval(platform, storage),
    ask: (licenseId, sql, range = {}) => askArchive(databaseUrl, { storage, licenseId, sql, range }),
    close: async () => {
      archive.close();
      await connection.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

interface Question {
  storage: Storage;
  licenseId: string;
  sql: string;
  range: MonthRange;
}

async function askArchive(url: string, { storage, licenseId, sql, range }: Question): Promise<unknown[][]> {
  const directory = await mkdtemp(join(tmpdir(), 'gantry-query-'));
  const client = await openCopyClient({ url });
  try {
    const months = await listMonths(client, licenseId, range);
    return await queryArchive(
      { client, storage, licenseId, months, directory, memoryMb: 256 },
      sql,
      ({ rows }) => Array.fromAsync(rows),
    );
  } finally {
    await client.end();
    await rm(directory, { recursive: true, force: true });
  }
}

export const dayMs = 86_400_000;

/** The first day of the month that began so many months ago. */
export function monthStart(ago: number): number {
  const now = new Date();
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1);
}

export const steamIdOf = (player: number) => String(76561197960287930n + BigInt(player));

export interface Played {
  tenant: Tenant;
  instances: string[];
}

/** A world with a storage and its archive. */
export class ArchiveWorld {
  readonly world: World;
  readonly folder: string;
  readonly storage: LocalStorage;
  readonly archive: TestArchive;

  private constructor(world: World, folder: string, archive: TestArchive, storage: LocalStorage) {
    this.world = world;
    this.folder = folder;
    this.archive = archive;
    this.storage = storage;
  }

  static async create(): Promise<ArchiveWorld> {
    const world = await World.create({ roles: ['api'] });
    const folder = await mkdtemp(join(tmpdir(), 'gantry-archived-'));
    const storage = new LocalStorage(folder);
    const archive = await openTestArchive(world.database.url, { storage });
    for (const table of ['instance_stats_5m', 'instance_stats_hour', 'player_session'])
      await world.database.query(
        `select create_month_partitions($1, (current_date - interval '12 months')::date, 13)`,
        [table],
      );
    return new ArchiveWorld(world, folder, archive, storage);
  }

  async close(): Promise<void> {
    await this.archive.close();
    await this.world.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Players of two servers from eight to three months ago, with sessions over midnight, long ones and unknown ones. */
  async play(seed: number, count: number): Promise<Played> {
    const { world } = this;
    const tenant = await world.createTenant();
    const instances = [
      await createInstance(world, tenant, { name: 'one' }),
      await createInstance(world, tenant, { name: 'two' }),
    ];
    const random = sequence(seed);
    const [from, to] = [monthStart(8), monthStart(2)];
    const sessions = Array.from({ length: count }, () => {
      const startedAt = Math.floor(from + random() * (to - from));
      const endedAt = startedAt + Math.floor(random() ** 4 * 3 * dayMs);
      return {
        instance_id: instances[Math.floor(random() * 2)],
        steam_id: steamIdOf(Math.floor(random() ** 2 * 60)),
        started_at: new Date(startedAt).toISOString(),
        ended_at: new Date(endedAt).toISOString(),
        has_join: random() > 0.1,
      };
    });
    await world.database.query(
      `insert into player_session (license_id, instance_id, steam_id, started_at, ended_at, last_sign_at, has_join,
         end_reason)
       select $1, instance_id, steam_id, started_at, ended_at, ended_at, has_join, 'leave'
       from jsonb_to_recordset($2::jsonb) as session(instance_id uuid, steam_id text, started_at timestamptz,
         ended_at timestamptz, has_join boolean)`,
      [tenant.license.id, JSON.stringify(sessions)],
    );
    await world.database.query(
      `insert into player (license_id, steam_id, name, first_seen_at, last_seen_at)
       select license_id, steam_id, 'player ' || steam_id, min(started_at), max(started_at) from player_session
       where license_id = $1 group by 1, 2`,
      [tenant.license.id],
    );
    return { tenant, instances };
  }

  archivedRows(licenseId: string) {
    return this.world.database.query<{ source: string; month: string; file_id: string; row_count: number }>(
      `select source, month::text, file_id, row_count::integer from archived_month where license_id = $1
       order by month`,
      [licenseId],
    );
  }

  /** Names of the license's files in the storage. */
  async licenseFiles(licenseId: string): Promise<string[]> {
    const files = await readdir(this.folder, { recursive: true });
    const prefix = join('archive', licenseId, '/');
    return files
      .filter((path) => path.startsWith(prefix))
      .map((path) => path.slice(prefix.length))
      .sort();
  }
}

/** A sequence of numbers from 0 up to 1 that is the same in each run. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
