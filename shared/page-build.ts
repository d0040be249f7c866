// Builds a web page from its sources if it is missing, or if the sources have changed.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface PageSources {
  /** The directory that the patterns start from. */
  root: string;
  /** Patterns of all files that the page is made of. */
  sources: readonly string[];
  /** The program that builds the page into the directory named by its only argument. */
  script: string;
  /** The directory of the built page. */
  directory: string;
}

const mark = '.made-of';

/**
 * Builds the page unless it was built from the sources as they are now; `announce` is called before a build. Rejects if
 * the build fails; the page that was there before stays. Resolves to whether it was built.
 */
export async function buildIfChanged(page: PageSources, announce: () => void): Promise<boolean> {
  const { directory, script } = page;
  const made = await fingerprint(page);
  if (made === (await markOf(page))) return false;
  announce();
  // Built beside the old page, so that neither an interruption nor a second process leaves half a page.
  const fresh = `${directory}-${process.pid}`;
  const former = `${fresh}-former`;
  try {
    // Otherwise a build that tests start would contain the development version of libraries, which is larger and slower.
    const env = { ...process.env, NODE_ENV: 'production' };
    await promisify(execFile)(process.execPath, [script, fresh], { env });
    await writeFile(join(fresh, mark), made);
    // Another process that has built the same page may be reading it.
    if ((await markOf(page)) === made) return true;
    // Moved away first: a removal that is cut off would leave a part of the old page with its mark.
    await rename(directory, former).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    await rename(fresh, directory);
  } catch (error) {
    // Another process may have put the same page there meanwhile.
    if ((await markOf(page)) !== made) throw error;
  } finally {
    for (const left of [fresh, former]) await rm(left, { recursive: true, force: true });
  }
  return true;
}

async function fingerprint({ root, sources }: PageSources): Promise<string> {
  const hash = createHash('sha256');
  const files = globSync([...sources], { cwd: root }).sort();
  const contents = await Promise.all(files.map((file) => readFile(join(root, file))));
  files.forEach((file, index) =>
    hash.update(`${file.replaceAll('\\', '/')}\0`).update(contents[index] ?? ''),
  );
  return hash.digest('hex');
}

function markOf({ directory }: PageSources): Promise<string> {
  return readFile(join(directory, mark), 'utf8').catch(() => '');
}
