// Builds the web panel at the first start of a clone, and when its sources have changed.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import { buildIfChanged } from '../../../shared/page-build.ts';

const root = resolve(import.meta.dirname, '../../..');
const script = join(root, 'panel/build.ts');

/** Directory of the built panel. */
export const builtPanel = join(root, 'panel/dist');

const page = {
  root,
  sources: [
    'panel/{src,public}/**/*.*',
    'panel/{index.html,build.ts,package.json}',
    'panel/build/*.ts',
    'ui/{build,src}/**/*.*',
    'client/src/**/*.ts',
    'shared/*.ts',
    'generated/platform.operations.ts',
    'openapi/plugin-configs/kinds/*.yaml',
    'scripts/{plugin-kinds,key-descriptions,plugin-defaults}.ts',
    'package-lock.json',
  ],
  script,
  directory: builtPanel,
};

/** Rejects if the build fails; resolves to whether there was something to build. */
export const buildPanelIfChanged = (announce: () => void): Promise<boolean> => buildIfChanged(page, announce);

/** Resolves when the panel can be served, or when it is certain that it cannot be built; the API works without it. */
export async function buildPanel(log: Logger): Promise<void> {
  // A package contains the built panel instead of its sources.
  if (!existsSync(script)) return;
  const started = performance.now();
  try {
    const isNew = await buildPanelIfChanged(() => log.info('the panel is being built; this happens once'));
    if (isNew) log.info({ ms: Math.round(performance.now() - started) }, 'the panel is built');
  } catch (error) {
    log.error({ err: error }, 'the panel cannot be built');
  }
}
