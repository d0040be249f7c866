// A signed release of the agent with the executable for this machine, built once for all suites of a run.
import { execFile } from 'node:child_process';
import { access, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { until } from './until.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');

export const agentPlatform = `linux-${process.arch}`;
/** Name of the executable. */
export const agentExecutable = `gantry-agent-${agentPlatform}`;

export interface BuiltAgent {
  /** Holds the release, which nothing may change: other suites read it. */
  release: string;
  /** The private key that the build made. */
  key: string;
}

/** The first suite that asks builds it; suites of other workers wait. */
export async function builtAgent(): Promise<BuiltAgent> {
  const directory = join(tmpdir(), 'built-agent');
  const built = { release: join(directory, 'release'), key: join(directory, 'key.pem') };
  const isBuilding = await mkdir(directory).then(
    () => false,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
      return true;
    },
  );
  if (isBuilding) {
    // The build moves its whole directory into place at the end.
    await until(
      () =>
        access(built.release).then(
          () => true,
          () => false,
        ),
      'the build of the agent by another suite',
      180_000,
    );
    return built;
  }
  const flags = ['--platform', agentPlatform, '--out', built.release, '--key', built.key];
  await run(process.execPath, ['scripts/agent-release/build.ts', ...flags], { cwd: root });
  return built;
}
