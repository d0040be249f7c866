// Examines whether the storage of files is the one that the other processes of the installation use.
import type { Config } from '../config/index.ts';
import { nameOf, openStorage } from '../storage/open-storage.ts';
import { StorageMarker } from '../storage/storage-marker.ts';
import { causesOf } from '../database/faults.ts';
import { ok, problem, warning, type Finding } from './finding.ts';

const check = 'storage';

export async function examineStorage(
  database: ConstructorParameters<typeof StorageMarker>[0],
  config: Config,
): Promise<Finding> {
  const name = nameOf(config.storage);
  const storage = await openStorage(config.storage);
  try {
    const { id, fault } = await new StorageMarker(database, storage).examine();
    if (fault === null)
      return ok(check, id === undefined ? `${name}; the next start marks it` : `${name} has the marker`);
    const detail =
      fault === 'lacks-marker'
        ? `${name} is not the storage that processes used before`
        : `${name} lacks the files that the database names`;
    return config.databaseUrl === undefined
      ? warning(check, detail, 'Correct the setting, or restore the files; the next start uses it as it is')
      : problem(
          check,
          detail,
          'Set GANTRY_STORAGE_DIR or S3_BUCKET as for the other processes, or run "gantry adopt-storage"',
        );
  } catch (error) {
    const reason = causesOf(error).at(-1)?.message ?? 'it does not respond';
    return problem(check, `${name}: ${reason}`, 'Make it available, or correct GANTRY_STORAGE_DIR or S3_*');
  } finally {
    storage.close();
  }
}
