// Restores a backup into an empty data directory and an empty database. Nothing starts from a half-restored one.
import { mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Logger } from 'pino';
import packageFile from '../../package.json' with { type: 'json' };
import type { Config } from '../config/index.ts';
import { createClient } from '../database/client.ts';
import { migrate } from '../database/migrate.ts';
import { migrations, presentNames } from '../database/migrations/index.ts';
import { openDataDirectory } from '../embedded/data-directory.ts';
import { startEmbeddedPostgres } from '../embedded/postgres.ts';
import { removePostgresHome } from '../embedded/postgres-home.ts';
import { unfinishedName } from '../embedded/unfinished-restore.ts';
import { ConfigError } from '../process/environment.ts';
import { exists, syncDirectory, writePrivateFile } from '../process/files.ts';
import { openStorage } from '../storage/open-storage.ts';
import { Archive } from './backup-file.ts';
import { busKeysPart } from './create-backup.ts';
import { writePrivate } from './data-files.ts';
import { appliedMigrations, queueMigration, writeContent, type DatabaseContent } from './database-content.ts';
import { readManifest, refuseOtherSecrets, type Manifest } from './manifest.ts';

/** A new file system has it. */
const ignoredNames = ['lost+found'];

export async function restoreBackup(config: Config, path: string, log: Logger): Promise<Manifest> {
  const archive = await Archive.open(path);
  try {
    const manifest = readManifest(archive.manifest);
    refuseOtherSecrets(manifest, config);
    refuseUnknownMigrations(manifest);
    if (config.databaseUrl !== undefined) await refuseFullDatabase(config.databaseUrl, manifest.database);
    await refuseFullDirectory(config.dataDir);
    await restoreInto(config, { archive, manifest, log });
    return manifest;
  } finally {
    archive.close();
  }
}

interface Restoring {
  archive: Archive;
  manifest: Manifest;
  log: Logger;
}

async function restoreInto(config: Config, { archive, manifest, log }: Restoring): Promise<void> {
  const directory = await openDataDirectory(config.dataDir);
  try {
    await empty(directory.path, log);
    await writePrivateFile(
      join(directory.path, unfinishedName),
      `A restore of ${manifest.created_at} is under way, or was interrupted.\n`,
    );
    await syncDirectory(directory.path);
    await restoreFiles(config, { archive, manifest, log });
    await restoreDatabase(config, { archive, manifest, log });
    await rm(join(directory.path, unfinishedName));
    await syncDirectory(directory.path);
  } catch (error) {
    await empty(directory.path, log);
    await rm(join(directory.path, unfinishedName), { force: true });
    throw error;
  } finally {
    await directory.release();
  }
}

async function restoreFiles(config: Config, { archive, manifest }: Restoring): Promise<void> {
  for (const name of archive.names.filter((part) => part.startsWith('data/')))
    await writePrivate(config.dataDir, name.slice('data/'.length), await archive.read(name));
  const keysFile = config.nats.keysFile ?? join(config.dataDir, 'nats-keys.json');
  if (!(await exists(keysFile))) {
    const keys = await buffer(await archive.read(busKeysPart));
    await mkdir(dirname(keysFile), { recursive: true, mode: 0o700 });
    await writePrivateFile(keysFile, keys.toString());
  }
  const storage = await openStorage(config.storage);
  try {
    for (const key of manifest.stored_files) {
      // A restore that was interrupted may have left a part of it.
      await storage.remove(key);
      await storage.put(key, await archive.read(`storage/${key}`));
    }
  } finally {
    storage.close();
  }
}

async function restoreDatabase(config: Config, { archive, manifest, log }: Restoring): Promise<void> {
  const embedded =
    config.databaseUrl === undefined
      ? await startEmbeddedPostgres({ dataDir: config.dataDir, log })
      : undefined;
  try {
    const url = config.databaseUrl ?? embedded?.url ?? '';
    await restoreRows(url, { archive, manifest, log });
    await migrate({ url }, log);
  } finally {
    await embedded?.stop();
  }
}

/** In one transaction, in the schema that the backup has. */
async function restoreRows(url: string, { archive, manifest, log }: Restoring): Promise<void> {
  const known = namesOf(manifest.database);
  await migrate(
    { url },
    log,
    migrations.filter(({ name }) => known.includes(name)),
  );
  const client = createClient({ url, isUnlimited: true });
  client.on('error', (error) => log.warn({ err: error }, 'the connection of the restore was lost'));
  await client.connect();
  try {
    const queue = await queueMigration(client);
    if (queue !== manifest.database.queueMigration)
      throw new ConfigError(
        `The backup has the job queue of gantry ${manifest.program}: restore it with that release, and upgrade then`,
      );
    await client.query('begin');
    await writeContent(client, manifest.database, (table) => archive.read(`database/${table}`));
    await client.query('commit');
    await client.query('analyze');
  } finally {
    await client.end();
  }
}

const namesOf = ({ migrations: applied }: DatabaseContent): string[] => presentNames(applied);

function refuseUnknownMigrations({ database, program }: Manifest): void {
  const known = migrations.map(({ name }) => name);
  const unknown = namesOf(database).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new ConfigError(
      `The backup was made by a newer program (gantry ${program}, migration ${unknown}); ` +
        `this is gantry ${packageFile.version}. Restore it with gantry ${program} or newer`,
    );
}

/** A database that a restore has only migrated counts as empty. */
async function refuseFullDatabase(url: string, content: DatabaseContent): Promise<void> {
  const client = createClient({ url });
  await client.connect().catch((error: unknown) => {
    throw new ConfigError(`DATABASE_URL: ${Error.isError(error) ? error.message : 'the connection failed'}`, {
      cause: error,
    });
  });
  try {
    const applied = await appliedMigrations(client);
    if (applied.length === 0) return;
    const { rows } = await client.query<{ is_used: boolean }>(
      `select exists (select from user_account) or exists (select from license) or exists (select from setup_token)
         as is_used`,
    );
    const isOnlyMigrated = applied.every((name) => namesOf(content).includes(name));
    if (rows[0]?.is_used === true || !isOnlyMigrated)
      throw new ConfigError('DATABASE_URL: the database is not empty: create a new one for the restore');
  } finally {
    await client.end();
  }
}

async function refuseFullDirectory(path: string): Promise<void> {
  if (!(await exists(path))) return;
  const names = (await readdir(path)).filter((name) => !ignoredNames.includes(name));
  if (names.length > 0 && !names.includes(unfinishedName))
    throw new ConfigError(`GANTRY_DATA_DIR: ${path} is not empty: restore into a new directory`);
}

/** Removes what an interrupted restore has left; the claim of this process stays. */
async function empty(path: string, log: Logger): Promise<void> {
  await removePostgresHome(path, log);
  for (const name of await readdir(path))
    if (!ignoredNames.includes(name) && !name.startsWith('lock.') && name !== unfinishedName)
      await rm(join(path, name), { recursive: true, force: true });
}
