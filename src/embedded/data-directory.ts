// Opens the directory with all of the platform's files, for one Gantry process at a time.
import { mkdir, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ConfigError } from '../process/environment.ts';
import { errorCode, randomSuffix } from '../process/files.ts';
import { processIdentity } from './processes.ts';

export interface DataDirectory {
  path: string;
  release: () => Promise<void>;
}

/** Another process of Gantry holds the directory. */
export class DirectoryInUse extends ConfigError {}

interface Claim {
  file: string;
  pid: number;
}

const CLAIM = /^lock\.(?<pid>\d+)\.(?<identity>[0-9a-f]+)\.[0-9a-f]+$/;
const ATTEMPTS = 20;

export async function openDataDirectory(path: string): Promise<DataDirectory> {
  const absolute = resolve(path);
  await mkdir(dirname(absolute), { recursive: true });
  await makeDirectory(absolute, 0o700);
  const directory = await realpath(absolute);
  return { path: directory, release: await claimDirectory(directory) };
}

/**
 * Each process creates its own claim file, named by pid and process start, and then looks for others. Of two processes
 * that start at once, the later one to look sees the other, so they never both continue. File names are never reused,
 * so removing a dead process's claim can never remove a living one's.
 */
export async function claimDirectory(directory: string): Promise<() => Promise<void>> {
  const identity = await processIdentity(process.pid);
  if (identity === undefined)
    throw new ConfigError(`Cannot determine when the process ${process.pid} was started`);
  let seenBefore = new Set<string>();
  for (let attempt = 1; ; attempt++) {
    const own = `lock.${process.pid}.${identity}.${randomSuffix()}`;
    await writeFile(join(directory, own), `Held by the Gantry process ${process.pid}\n`, {
      flag: 'wx',
      mode: 0o600,
    });
    const others = (await livingClaims(directory)).filter(({ file }) => file !== own);
    if (others.length === 0) return () => rm(join(directory, own), { force: true });

    await rm(join(directory, own), { force: true });
    // A rival that is only trying comes back under a new name; one that stays is the owner.
    const owner =
      others.find(({ file }) => seenBefore.has(file)) ?? (attempt === ATTEMPTS ? others[0] : undefined);
    if (owner !== undefined) throw usedBy(directory, owner.pid);
    seenBefore = new Set(others.map(({ file }) => file));
    await pause(20 + Math.random() * 80);
  }
}

export async function assertNotUsedByAnother(directory: string): Promise<void> {
  const owner = (await livingClaims(directory)).find(({ pid }) => pid !== process.pid);
  if (owner !== undefined) throw usedBy(directory, owner.pid);
}

export async function makeDirectory(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

async function livingClaims(directory: string): Promise<Claim[]> {
  const living: Claim[] = [];
  for (const file of await readdir(directory)) {
    const { pid, identity } = CLAIM.exec(file)?.groups ?? {};
    if (pid === undefined) continue;
    if ((await processIdentity(Number(pid))) === identity) living.push({ file, pid: Number(pid) });
    else await rm(join(directory, file), { force: true });
  }
  return living;
}

function usedBy(directory: string, pid: number): DirectoryInUse {
  return new DirectoryInUse(`The data directory ${directory} is used by the Gantry process ${pid}`);
}
