// Finds the PostgreSQL of an installation for a command: the configured one, or the embedded one of its data directory.
import { join } from 'node:path';
import type { Logger } from 'pino';
import { DirectoryInUse, openDataDirectory } from './data-directory.ts';
import { readPasswords } from './postgres-cluster.ts';
import { startEmbeddedPostgres } from './postgres.ts';
import { ConfigError } from '../process/environment.ts';
import { readIfPresent } from '../process/files.ts';

export interface RunningPostgres {
  url: string;
  close: () => Promise<void>;
}

export async function openPostgres(
  { databaseUrl, dataDir }: { databaseUrl: string | undefined; dataDir: string },
  log: Logger,
): Promise<RunningPostgres> {
  if (databaseUrl !== undefined) return { url: databaseUrl, close: () => Promise.resolve() };
  return openEmbedded(dataDir, log);
}

/** The running one, or one that is started for the command. */
async function openEmbedded(dataDir: string, log: Logger): Promise<RunningPostgres> {
  const passwords = await readPasswords(dataDir);
  if (passwords === undefined)
    throw new ConfigError(`GANTRY_DATA_DIR: ${dataDir} has no database; set it, or DATABASE_URL`);
  try {
    const directory = await openDataDirectory(dataDir);
    try {
      const postgres = await startEmbeddedPostgres({ dataDir: directory.path, log });
      return {
        url: postgres.url,
        close: async () => {
          await postgres.stop();
          await directory.release();
        },
      };
    } catch (error) {
      await directory.release();
      throw error;
    }
  } catch (error) {
    if (!(error instanceof DirectoryInUse)) throw error;
    const port = Number(await readIfPresent(join(dataDir, 'postgres.port')));
    return {
      url: `postgres://gantry:${passwords.gantry}@127.0.0.1:${port}/gantry`,
      close: () => Promise.resolve(),
    };
  }
}
