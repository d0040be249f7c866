// The platform and the agent as separate processes that tests kill and restart.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const root = resolve(import.meta.dirname, '../..');

/** Node's compile cache: the programs are started many times. */
export const compileCache = process.env['NODE_COMPILE_CACHE'];

export class Program {
  readonly #start: () => ChildProcess;
  readonly #isReady: RegExp;
  #child: ChildProcess | undefined;
  /** Everything that it wrote, for the message of a failing test. */
  output = '';
  /** The values in its ready line. */
  readyUrl = '';

  private constructor(start: () => ChildProcess, isReady: RegExp) {
    this.#start = start;
    this.#isReady = isReady;
  }

  /** `program` replaces the platform's own. */
  static platform(environment: Record<string, string>, program = join(root, 'src/main.ts')): Program {
    return new Program(() => launch(program, environment), /ready at (\S+)|Gantry runs/);
  }

  static agent(environment: Record<string, string>): Program {
    return new Program(() => launch(join(root, 'agent/src/main.ts'), environment), /./);
  }

  /** Starts it and returns the values in its ready line. */
  async start(): Promise<string> {
    const child = this.#start();
    this.#child = child;
    return new Promise((resolveReady, reject) => {
      for (const stream of [child.stdout, child.stderr]) {
        if (stream === null) continue;
        createInterface({ input: stream }).on('line', (line) => {
          this.output += `${line}\n`;
          const ready = this.#isReady.exec(line);
          if (ready === null) return;
          this.readyUrl = ready[1] ?? '';
          resolveReady(this.readyUrl);
        });
      }
      child.on('exit', (code) => reject(new Error(`ended with code ${code ?? 'none'}:\n${this.output}`)));
    });
  }

  get pid(): number {
    const { pid } = this.#child ?? {};
    if (pid === undefined) throw new Error('it was not started');
    return pid;
  }

  /** The code that it exits with by itself. */
  async ended(): Promise<number | null> {
    const child = this.#child;
    if (child === undefined) throw new Error('it was not started');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
    return child.exitCode;
  }

  async signal(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  }
}

function launch(program: string, environment: Record<string, string>): ChildProcess {
  const { PATH, HOME, XDG_CACHE_HOME, TMPDIR } = process.env;
  return spawn(process.execPath, [program], {
    cwd: root,
    env: { PATH, HOME, XDG_CACHE_HOME, TMPDIR, NODE_COMPILE_CACHE: compileCache, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
}

/** Writes an agent's configuration; JSON is YAML too. */
export async function writeAgentConfig(file: string, instances: object[]): Promise<void> {
  await writeFile(file, JSON.stringify({ instances }));
}
