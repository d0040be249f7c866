// Opens the storage that the settings name: a directory, or a bucket of an S3 service.
import { LocalStorage } from './local-storage.ts';
import { S3Storage, type S3Settings } from './s3-storage.ts';
import type { Storage } from './storage.ts';

export type StorageSettings = { directory: string } | { s3: S3Settings };

export function openStorage(settings: StorageSettings): Storage {
  return 's3' in settings ? new S3Storage(settings.s3) : new LocalStorage(settings.directory);
}
