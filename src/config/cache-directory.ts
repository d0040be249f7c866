// Where files are kept that can be made again: the user's cache, or a folder of the data directory.
import { resolve } from 'node:path';
import { text, type Environment } from '../process/environment.ts';

export const inDataDirectory = (env: Environment, name: string) =>
  resolve(text(env, 'GANTRY_DATA_DIR') ?? '.gantry', name);

export function cacheDirectory(env: Environment): string {
  const base =
    text(env, 'XDG_CACHE_HOME') ?? (text(env, 'HOME') === undefined ? undefined : `${env['HOME']}/.cache`);
  return base === undefined ? inDataDirectory(env, 'cache') : resolve(base, 'gantry');
}
