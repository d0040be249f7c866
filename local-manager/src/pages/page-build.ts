// Builds the manager's page if it is missing, or if its sources have changed.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import { buildIfChanged } from '../../../shared/page-build.ts';

const web = resolve(import.meta.dirname, '../../web');

/** Directory of the built page. */
export const builtPage = join(web, 'dist');

export const page = {
  root: web,
  sources: ['src/**/*.*', 'index.html', 'build.ts', '../package.json', '../../ui/**/*.*'],
  script: join(web, 'build.ts'),
  directory: builtPage,
};

/** Announces the build first, because it takes some seconds. Without a page, the API still works. */
export async function preparePage(say: (sentence: string) => void, log: Logger): Promise<void> {
  // A package contains the built page instead of its sources.
  if (!existsSync(page.script)) return;
  await buildIfChanged(page, () =>
    say('Building the page; this takes a few seconds and happens once.'),
  ).catch((error: unknown) => log.error({ err: error }, 'the page cannot be built'));
}
