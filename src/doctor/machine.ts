// Examines the process and its disks: the version of Node, the data directory and free space.
import type { Stats } from 'node:fs';
import { access, constants, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '../config/index.ts';
import { unfinishedName } from '../embedded/unfinished-restore.ts';
import { errorCode, exists } from '../process/files.ts';
import { ok, problem, warning, type Finding } from './finding.ts';

const oldestNode = 24;
const gibibyte = 1024 ** 3;
const minFreeBytes = gibibyte / 4;
const comfortableBytes = 2 * gibibyte;

export function examineNode(version = process.versions.node): Finding {
  return Number.parseInt(version, 10) < oldestNode
    ? problem(
        'Node',
        `Node ${version} runs this program`,
        `Start it with npm or npx, which use the Node ${oldestNode} that is installed with it`,
      )
    : ok('Node', version);
}

export async function examineDataDirectory({ dataDir }: Config): Promise<Finding> {
  const check = 'data directory';
  let directory: Stats;
  try {
    if (!(await exists(dataDir))) return ok(check, `${dataDir} does not exist yet; a start creates it`);
    directory = await stat(dataDir);
    if (directory.isDirectory()) await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    return problem(
      check,
      `${dataDir} cannot be written by this user (${errorCode(error) ?? 'unknown error'})`,
      'Run the command as the user who runs the platform, or give that user the directory with chown',
    );
  }
  if (!directory.isDirectory())
    return problem(check, `${dataDir} is not a directory`, 'Correct GANTRY_DATA_DIR, or move the file away');
  if (await exists(join(dataDir, unfinishedName)))
    return problem(
      check,
      `A restore into ${dataDir} was interrupted (${unfinishedName})`,
      'Run "gantry restore" again with the same file',
    );
  return (directory.mode & 0o007) === 0
    ? ok(check, dataDir)
    : warning(check, `${dataDir} is open to every user of this machine`, `chmod o= ${dataDir}`);
}

export async function examineDisks({ dataDir, storage }: Config): Promise<Finding[]> {
  const directories = new Set([dataDir, ...('directory' in storage ? [storage.directory] : [])]);
  return Promise.all([...directories].map(examineDisk));
}

async function examineDisk(directory: string): Promise<Finding> {
  const check = `disk of ${directory}`;
  let existing = directory;
  // What this user cannot see is on the disk of what they see above it, or examined as the data directory.
  while (!(await exists(existing).catch(() => false)) && dirname(existing) !== existing)
    existing = dirname(existing);
  const { bavail, bsize } = await statfs(existing);
  return judgeSpace(check, bavail * bsize);
}

export function judgeSpace(check: string, freeBytes: number): Finding {
  const detail = `${(freeBytes / gibibyte).toFixed(1)} GiB are free`;
  const fix = 'Enlarge the disk, or delete files on it that are not of the platform';
  if (freeBytes < minFreeBytes) return problem(check, detail, fix);
  return freeBytes < comfortableBytes ? warning(check, detail, fix) : ok(check, detail);
}
