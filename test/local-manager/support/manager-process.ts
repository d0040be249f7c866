// The manager as a separate process, which can be killed.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { StandInWorld } from '../../../local-manager/stand-ins/world.ts';
import { compileCache } from '../../support/processes.ts';
import { until } from '../../support/until.ts';
import { ManagerClient, type ManagerAddress } from './manager.ts';

const program = resolve(import.meta.dirname, '../../../local-manager/src/main.ts');

/** The page may have to be built first. */
const startsWithinMs = 80_000;

export class ManagerProcess extends ManagerClient {
  protected readonly address: ManagerAddress;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, address: ManagerAddress) {
    super();
    this.#child = child;
    this.address = address;
  }

  /** Runs the sources, or the executable that was built from them. */
  static async start(
    world: StandInWorld,
    home: string,
    { executable, settings = {} }: { executable?: string; settings?: Record<string, string> } = {},
  ): Promise<ManagerProcess> {
    const session = join(home, 'session.json');
    // A killed one has left its session file.
    rmSync(session, { force: true });
    const [file, flags] =
      executable === undefined ? [process.execPath, ['--no-warnings', program]] : [executable, []];
    const child = spawn(file, flags, {
      env: {
        ...process.env,
        ...world.environment(home),
        LOCAL_MANAGER_POLL_MS: '100',
        ...settings,
        NODE_COMPILE_CACHE: compileCache,
      },
      stdio: 'ignore',
    });
    await until(() => existsSync(session), 'the start of the manager', startsWithinMs);
    return new ManagerProcess(child, JSON.parse(readFileSync(session, 'utf8')) as ManagerAddress);
  }

  /** The printed link. */
  get link(): string {
    return `${this.address.url}/?token=${this.address.token}`;
  }

  /** Sends the signal, and returns the exit code. */
  async signal(signal: NodeJS.Signals): Promise<number | null> {
    const gone = once(this.#child, 'exit');
    this.#child.kill(signal);
    const [code] = (await gone) as [number | null];
    return code;
  }

  /** Kills it without a signal that it could handle. */
  async kill(): Promise<void> {
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await gone;
  }
}
