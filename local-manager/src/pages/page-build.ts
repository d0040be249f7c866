// Builds the page if it is missing, or if its sources have changed.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Logger } from 'pino';

const web = resolve(import.meta.dirname, '../../web');
const sources = ['src/**/*.*', 'index.html', 'build.ts', '../package.json'];
const mark = '.made-of';

/** Directory of the built page. */
export const builtPage = join(web, 'dist');

/** Announces the build first, because it takes some seconds. Without a page, the API still works. */
export async function preparePage(say: (sentence: string) => void, log: Logger): Promise<void> {
  const wanted = await fingerprint();
  if (wanted === (await readFile(join(builtPage, mark), 'utf8').catch(() => ''))) return;
  say('The page is built, which takes some seconds and happens once.');
  await buildPage(wanted).catch((error: unknown) => log.error({ err: error }, 'the page cannot be built'));
}

async function buildPage(wanted: string): Promise<void> {
  // Builds beside the old page, so that neither an interruption nor a second manager leaves half a page.
  const fresh = `${builtPage}-${process.pid}`;
  try {
    await promisify(execFile)(process.execPath, [join(web, 'build.ts'), fresh]);
    await writeFile(join(fresh, mark), wanted);
    await rm(builtPage, { recursive: true, force: true });
    await rename(fresh, builtPage);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

async function fingerprint(): Promise<string> {
  const hash = createHash('sha256');
  for (const file of globSync(sources, { cwd: web }).sort()) {
    hash.update(`${file.replaceAll('\\', '/')}\0`).update(await readFile(join(web, file)));
  }
  return hash.digest('hex');
}
