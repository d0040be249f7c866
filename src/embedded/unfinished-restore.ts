// Marks a data directory into which a restore is under way, so that nothing starts from a part of a backup.
import { join } from 'node:path';
import { ConfigError } from '../process/environment.ts';
import { exists } from '../process/files.ts';

/** The file exists from before the first restored file until after the last one. */
export const unfinishedName = 'restore.unfinished';

export async function refuseUnfinishedRestore(dataDir: string): Promise<void> {
  if (await exists(join(dataDir, unfinishedName)))
    throw new ConfigError(
      `GANTRY_DATA_DIR: the restore into ${dataDir} was interrupted; run "gantry restore" again, or delete the directory`,
    );
}
