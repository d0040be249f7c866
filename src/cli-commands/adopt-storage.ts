// Makes the configured storage the one that every process of the installation has to use.
import type { Logger } from 'pino';
import type { Config } from '../config/index.ts';
import { createClient } from '../database/client.ts';
import { openPostgres } from '../embedded/running-postgres.ts';
import { refuseUnfinishedRestore } from '../embedded/unfinished-restore.ts';
import { nameOf, openStorage } from '../storage/open-storage.ts';
import { StorageMarker } from '../storage/storage-marker.ts';

export async function adoptStorage(config: Config, log: Logger): Promise<string> {
  await refuseUnfinishedRestore(config.dataDir);
  const database = await openPostgres(config, log);
  const client = createClient({ url: database.url });
  client.on('error', (error) => log.warn({ err: error }, 'the connection to the database was lost'));
  try {
    await client.connect();
    const storage = await openStorage(config.storage);
    try {
      const marker = new StorageMarker(client, storage);
      await marker.adopt();
      const { files, missing } = await marker.countMissing();
      return (
        `${nameOf(config.storage)} is the storage of this installation. It lacks ${missing} of ${files} files. ` +
        'Restart every process with this setting.'
      );
    } finally {
      storage.close();
    }
  } finally {
    await client.end();
    await database.close();
  }
}
