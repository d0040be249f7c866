// Code as Node has compiled it, kept for the next start, which then neither strips types nor compiles.
import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { constants, enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';

/** By then what the first requests and jobs load is loaded. */
const defaultStoreAfterMs = 10_000;

/** Node keeps what it has read from the directory in memory until this, between what stays. */
const freeEveryMs = 20;

/** Says that a process of this version has stored what a start needs. */
const completeFile = 'complete';

/**
 * Uses the code that is kept there for this version, and adds what this process compiles. Without effect where
 * NODE_COMPILE_CACHE names another directory, and where NODE_DISABLE_COMPILE_CACHE is set.
 */
export function keepCompiledCode(parent: string, version: string, storeAfterMs = defaultStoreAfterMs): void {
  const versions = join(parent, 'compiled');
  const directory = join(versions, version);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    if (!isOurs(versions) || !isOurs(directory)) return;
  } catch {
    // Where nothing can be written, starts only take longer.
    return;
  }
  const { status } = enableCompileCache(directory);
  if (status !== constants.compileCacheStatus.ENABLED) return;
  // Code that is stored early lacks the functions that are called later, so only a later start does so.
  const freeing = existsSync(join(directory, completeFile))
    ? setInterval(flushCompileCache, freeEveryMs).unref()
    : undefined;
  setTimeout(() => {
    clearInterval(freeing);
    // A process that is killed would keep nothing.
    flushCompileCache();
    if (freeing === undefined) complete(versions, version);
  }, storeAfterMs).unref();
}

/** Without the code of other versions. */
function complete(versions: string, version: string): void {
  try {
    writeFileSync(join(versions, version, completeFile), '');
    for (const name of readdirSync(versions))
      if (name !== version) rmSync(join(versions, name), { recursive: true, force: true });
  } catch {
    // The next start tries again.
  }
}

/** What is kept there is run, so no other user may write it. On Windows a user's folders are that user's own. */
function isOurs(directory: string): boolean {
  const { uid, mode } = lstatSync(directory);
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}
