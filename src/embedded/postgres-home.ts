// Chooses the directory of the PostgreSQL cluster: the data directory, or one that an unprivileged user can access.
import { createHash } from 'node:crypto';
import { chmod, chown, mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import { ConfigError } from '../process/environment.ts';
import { assertNotUsedByAnother, claimDirectory, makeDirectory } from './data-directory.ts';
import { exists, randomSuffix, readIfPresent, writePrivateFile } from '../process/files.ts';
import { canEnter, choosePostgresAccount, type Account } from './postgres-account.ts';
import { stopPostgresOrphan } from './postgres-orphan.ts';

export interface PostgresHome {
  path: string;
  cluster: string;
  account: Account | undefined;
  release: () => Promise<void>;
}

const REACHABLE = '/var/lib/gantry';
const CLUSTER = 'postgres';

/** File in the data directory; written once the cluster exists. */
export const passwordsName = 'postgres.passwords.json';

/** The passwords file proves that there was a database. */
export const databaseMissing = (cluster: string, passwordFile: string) =>
  `The database of this data directory was in ${cluster} and is not there. Put that directory back, from a backup if ` +
  `need be. To begin with an empty database instead, delete ${passwordFile} and what is left of that directory`;

export async function openPostgresHome(dataDir: string, log: Logger): Promise<PostgresHome> {
  const pointer = join(dataDir, 'postgres.location');
  const elsewhere = (await readIfPresent(pointer))?.trim();
  if (elsewhere !== undefined && dirname(elsewhere) !== REACHABLE) {
    throw new ConfigError(`${pointer} must name a directory directly below ${REACHABLE}, not "${elsewhere}"`);
  }
  const path = elsewhere ?? dataDir;
  const account = await choosePostgresAccount([join(path, CLUSTER)]);
  if (elsewhere === undefined && (await isReachable(dataDir, account))) {
    return { path, cluster: join(path, CLUSTER), account, release: () => Promise.resolve() };
  }
  if (await exists(join(dataDir, CLUSTER))) {
    throw new ConfigError(
      `PostgreSQL runs as ${account?.name ?? 'this user'}, who cannot reach its data in ${dataDir}: ` +
        'let that user enter every folder above it, or start Gantry as the user who owns the data',
    );
  }
  return openElsewhere({ dataDir, pointer, elsewhere, account, log });
}

/** Deletes the cluster of an interrupted restore, wherever it is. The caller holds the data directory. */
export async function removePostgresHome(dataDir: string, log: Logger): Promise<void> {
  const elsewhere = (await readIfPresent(join(dataDir, 'postgres.location')))?.trim();
  const path = elsewhere !== undefined && dirname(elsewhere) === REACHABLE ? elsewhere : dataDir;
  await stopPostgresOrphan(join(path, CLUSTER), log);
  await rm(path === dataDir ? join(path, CLUSTER) : path, { recursive: true, force: true });
}

/** The data directory itself can be opened for the account's group; its parent directories are not ours to change. */
async function isReachable(dataDir: string, account: Account | undefined): Promise<boolean> {
  if (account === undefined || (await canEnter(account, dataDir))) return true;
  const { uid, mode } = await stat(dataDir);
  if (uid !== 0 || !(await canEnter(account, dirname(dataDir)))) return false;
  await chown(dataDir, 0, account.gid);
  await chmod(dataDir, (mode & 0o707) | 0o010);
  return canEnter(account, dataDir);
}

async function openElsewhere(options: {
  dataDir: string;
  pointer: string;
  elsewhere: string | undefined;
  account: Account | undefined;
  log: Logger;
}): Promise<PostgresHome> {
  const { dataDir, pointer, account, log } = options;
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 12);
  const path = options.elsewhere ?? join(REACHABLE, hash);
  const cluster = join(path, CLUSTER);
  const who = account?.name ?? 'the present user';

  await makeReachableRoot();
  const passwordFile = join(dataDir, passwordsName);
  const hadCluster = await exists(passwordFile);
  // Not even an empty directory is made here: a backup that is moved to this place would land inside it.
  if (options.elsewhere !== undefined && hadCluster && !(await exists(path)))
    throw new ConfigError(databaseMissing(cluster, passwordFile));
  const isForgotten = options.elsewhere === undefined && !hadCluster;
  if (isForgotten && (await exists(path))) await setAside(path, log);
  await makeDirectory(path, 0o710);
  if (account !== undefined) await chown(path, 0, account.gid);
  if (!(await canEnter(account, path)))
    throw new ConfigError(`PostgreSQL runs as ${who}, who cannot reach ${path}`);
  const release = await claimDirectory(path);
  if (options.elsewhere === undefined) await writePrivateFile(pointer, `${path}\n`);
  log.info({ path }, `PostgreSQL runs as ${who}, who cannot reach ${dataDir}: its data are in ${path}`);
  return { path, cluster, account, release };
}

async function makeReachableRoot(): Promise<void> {
  if (await exists(REACHABLE)) return;
  await mkdir(REACHABLE, { recursive: true, mode: 0o755 });
  await chmod(REACHABLE, 0o755);
}

/**
 * The data directory was deleted, with the keys that belong to this cluster: keep the cluster under another name and
 * start with a new one.
 */
async function setAside(path: string, log: Logger): Promise<void> {
  await assertNotUsedByAnother(path);
  await stopPostgresOrphan(join(path, CLUSTER), log);
  const aside = `${path}.old-${randomSuffix()}`;
  await rename(path, aside);
  log.warn({ path: aside }, 'PostgreSQL data of a deleted data directory were set aside');
}
