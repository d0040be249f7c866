// The storage of files, proven to be the one that all processes of the installation use.
import { nameOf, openStorage } from '../storage/open-storage.ts';
import { ProvenStorage } from '../storage/proven-storage.ts';
import { StorageMarker } from '../storage/storage-marker.ts';
import type { PlatformOptions } from './options.ts';

/** The role `ingest` alone touches no files. */
export async function openProvenStorage(
  { storage: settings, isAlone = false, roles, log }: PlatformOptions,
  database: ConstructorParameters<typeof StorageMarker>[0],
): Promise<ProvenStorage> {
  const storage = await openStorage(settings);
  const proven = new ProvenStorage(storage, new StorageMarker(database, storage), {
    name: nameOf(settings),
    isAlone,
    log,
  });
  try {
    if (roles.has('api') || roles.has('jobs')) await proven.proveAtStart();
  } catch (error) {
    proven.close();
    throw error;
  }
  return proven;
}
