// The description of a backup: which program made it, what it contains, and which secrets its data need.
import { createHmac } from 'node:crypto';
import packageFile from '../../package.json' with { type: 'json' };
import type { Config } from '../config/index.ts';
import { ConfigError } from '../process/environment.ts';
import type { DatabaseContent } from './database-content.ts';

const format = 'gantry-backup';
const formatVersion = 1;

export interface Secrets {
  jwtSecret: string;
  encryptionSecret: string;
}

export interface Manifest {
  format: typeof format;
  format_version: typeof formatVersion;
  program: string;
  created_at: string;
  database: DatabaseContent;
  /** Keys of stored files. */
  stored_files: string[];
  /** Recognizes the secrets that settings name and that no file of the backup contains. */
  secrets: { jwt: string; encryption: string };
}

export function describeBackup(
  content: Pick<Manifest, 'database' | 'stored_files'>,
  { jwtSecret, encryptionSecret }: Secrets,
): Manifest {
  return {
    format,
    format_version: formatVersion,
    program: packageFile.version,
    created_at: new Date().toISOString(),
    ...content,
    secrets: { jwt: fingerprintOf(jwtSecret), encryption: fingerprintOf(encryptionSecret) },
  };
}

/** A backup of another format is refused; its content is checked when it is used. */
export function readManifest(value: unknown): Manifest {
  const { format: foundFormat, format_version: foundVersion, program } = value as Record<string, unknown>;
  if (foundFormat !== format) throw new ConfigError('This is not a backup of Gantry');
  if (foundVersion !== formatVersion)
    throw new ConfigError(
      `The backup was made by gantry ${String(program)} in another format; ` +
        `this is gantry ${packageFile.version}, which reads format ${formatVersion}`,
    );
  return value as Manifest;
}

/** Refuses settings with which the restored data could not be decrypted, before anything is written. */
export function refuseOtherSecrets(
  { secrets }: Manifest,
  { jwtSecret, encryptionSecret }: Pick<Config, 'jwtSecret' | 'encryptionSecret'>,
): void {
  const other = (name: string) =>
    new ConfigError(`${name} is not the secret with which this backup was made: set the former one`);
  if (jwtSecret !== undefined && fingerprintOf(jwtSecret) !== secrets.jwt) throw other('GANTRY_JWT_SECRET');
  const isSeparate = secrets.encryption !== secrets.jwt;
  if (encryptionSecret === undefined && isSeparate)
    throw new ConfigError('GANTRY_SEALING_SECRET is required: this backup was made with it');
  if (encryptionSecret !== undefined && fingerprintOf(encryptionSecret) !== secrets.encryption)
    throw other('GANTRY_SEALING_SECRET');
}

const fingerprintOf = (secret: string) =>
  createHmac('sha256', secret).update(format).digest('hex').slice(0, 16);
