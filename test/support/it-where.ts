// `it` for a test that needs a program. In CI it is never left out: there it fails if the program is missing.
import { spawnSync } from 'node:child_process';

export const isInstalled = (...[program, ...args]: readonly [string, ...string[]]): boolean =>
  spawnSync(program, args, { stdio: 'ignore' }).status === 0;

export const itWhere = (isThere: boolean): typeof it =>
  isThere || process.env['CI'] !== undefined ? it : it.skip;
