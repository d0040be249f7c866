// Backs up the whole platform while it runs: the database in one snapshot, and the files that its rows name.
import { Readable } from 'node:stream';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../config/index.ts';
import { takeBackupLock } from '../database/backup-lock.ts';
import { createClient } from '../database/client.ts';
import { refuseNewerDatabase } from '../database/migrate.ts';
import { migrations } from '../database/migrations/index.ts';
import { openPostgres } from '../embedded/running-postgres.ts';
import { refuseUnfinishedRestore } from '../embedded/unfinished-restore.ts';
import { obtainBusKeys, obtainJwtSecret } from '../embedded/infrastructure.ts';
import { ConfigError } from '../process/environment.ts';
import { openStorage } from '../storage/open-storage.ts';
import { keyOfRow } from '../storage/stored-files.ts';
import { writeArchive, type Part } from './backup-file.ts';
import { listDataFiles, openDataFile } from './data-files.ts';
import { appliedMigrations, openRows, readContent, type DatabaseContent } from './database-content.ts';
import { describeBackup, type Secrets } from './manifest.ts';

export interface BackupSummary {
  tables: number;
  rows: number;
  files: number;
}

export const busKeysPart = 'keys/nats-keys.json';

export async function createBackup(config: Config, path: string, log: Logger): Promise<BackupSummary> {
  await refuseUnfinishedRestore(config.dataDir);
  const jwtSecret = await obtainJwtSecret(config);
  const secrets = { jwtSecret, encryptionSecret: config.encryptionSecret ?? jwtSecret };
  const database = await openPostgres(config, log);
  const client = createClient({ url: database.url, isUnlimited: true });
  client.on('error', (error) => log.warn({ err: error }, 'the connection of the backup was lost'));
  try {
    await client.connect();
    return await copyAll({ client, config, path, secrets });
  } finally {
    await client.end();
    await database.close();
  }
}

interface Copying {
  client: pg.Client;
  config: Config;
  path: string;
  secrets: Secrets;
}

async function copyAll({ client, config, path, secrets }: Copying): Promise<BackupSummary> {
  // Before the snapshot: a stored file that it names is not removed until the session ends.
  await client.query(takeBackupLock);
  await client.query('begin isolation level repeatable read read only');
  if ((await appliedMigrations(client)).length === 0)
    throw new ConfigError('The database has no tables of Gantry: there is nothing to back up');
  // What only the newer program knows would be missing from its backup: a file that it stores elsewhere, for example.
  await refuseNewerDatabase(client, migrations);
  const database = await readContent(client);
  const { rows: kept } = await client.query<{ key: string }>(
    `select ${keyOfRow} as key from stored_file where state = 'kept' order by 1`,
  );
  const storedFiles = kept.map(({ key }) => key);
  const busKeys = JSON.stringify(await obtainBusKeys(config));
  const dataFiles = (await listDataFiles(config.dataDir)).filter((name) => name !== 'nats-keys.json');
  const storage = await openStorage(config.storage);
  const parts: Part[] = [
    ...rowParts(client, database),
    { name: busKeysPart, isCompressed: true, open: async () => Readable.from([busKeys]) },
    ...dataFiles.map((name) => ({
      name: `data/${name}`,
      isCompressed: true,
      open: () => openDataFile(config.dataDir, name),
    })),
    ...storedFiles.map((key) => ({
      name: `storage/${key}`,
      isCompressed: false,
      open: () => storage.open(key),
    })),
  ];
  try {
    await writeArchive(path, parts, () => describeBackup({ database, stored_files: storedFiles }, secrets));
  } finally {
    storage.close();
  }
  return {
    tables: database.tables.length,
    rows: database.tables.reduce((sum, { rows }) => sum + rows, 0),
    files: dataFiles.length + storedFiles.length,
  };
}

const rowParts = (client: pg.Client, { tables }: DatabaseContent): Part[] =>
  tables.map((content) => ({
    name: `database/${content.table}`,
    isCompressed: true,
    open: async () => openRows(client, content),
  }));
