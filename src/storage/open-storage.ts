// Opens the storage that the settings name: a directory, or a bucket of an S3 service.
import { LocalStorage } from './local-storage.ts';
import type { S3Settings } from './s3-storage.ts';
import type { Storage } from './storage.ts';

export type StorageSettings = { directory: string } | { s3: S3Settings };

export async function openStorage(settings: StorageSettings): Promise<Storage> {
  if (!('s3' in settings)) return new LocalStorage(settings.directory);
  // Its libraries take megabytes that a platform with a directory does not need.
  const { S3Storage } = await import('./s3-storage.ts');
  return new S3Storage(settings.s3);
}

/** The storage, after the name of the setting that chooses it. */
export const nameOf = (settings: StorageSettings): string =>
  's3' in settings ? `S3_BUCKET: ${settings.s3.bucket}` : `GANTRY_STORAGE_DIR: ${settings.directory}`;
