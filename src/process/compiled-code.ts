// Code as Node has compiled it, kept for the next start, which then neither strips types nor compiles.
import { lstatSync, mkdirSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';

/** By then what the first requests and jobs load is loaded. */
const storeAfterMs = 10_000;

/**
 * Uses the code that is kept in that directory, and adds what this process compiles. Without effect where
 * NODE_COMPILE_CACHE names another directory, and where NODE_DISABLE_COMPILE_CACHE is set.
 */
export function keepCompiledCode(parent: string): void {
  const directory = join(parent, 'compiled');
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    if (!isOurs(directory)) return;
  } catch {
    // Where nothing can be written, starts only take longer.
    return;
  }
  enableCompileCache(directory);
  // A process that is killed would keep nothing.
  setTimeout(flushCompileCache, storeAfterMs).unref();
}

/** What is kept there is run, so no other user may write it. On Windows a user's folders are that user's own. */
function isOurs(directory: string): boolean {
  const { uid, mode } = lstatSync(directory);
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}
