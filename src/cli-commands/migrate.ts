// Brings the database up to date without starting the platform.
import type { Logger } from 'pino';
import type { Config } from '../config/index.ts';
import { migrate } from '../database/migrate.ts';
import { migrations } from '../database/migrations/index.ts';
import { openDataDirectory } from '../embedded/data-directory.ts';
import { startEmbeddedPostgres } from '../embedded/postgres.ts';
import { refuseUnfinishedRestore } from '../embedded/unfinished-restore.ts';

export async function migrateDatabase(config: Config, log: Logger): Promise<string> {
  await refuseUnfinishedRestore(config.dataDir);
  if (config.databaseUrl === undefined) await migrateEmbedded(config.dataDir, log);
  else await migrate({ url: config.databaseUrl }, log);
  return `The database is at ${migrations.at(-1)?.name ?? 'no migration'}`;
}

async function migrateEmbedded(dataDir: string, log: Logger): Promise<void> {
  const directory = await openDataDirectory(dataDir);
  try {
    const postgres = await startEmbeddedPostgres({ dataDir: directory.path, log });
    try {
      await migrate({ url: postgres.url }, log);
    } finally {
      await postgres.stop();
    }
  } finally {
    await directory.release();
  }
}
