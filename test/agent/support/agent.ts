// A real agent process with a directory of its own, that a test starts, kills and starts again.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileCache } from '../../support/processes.ts';
import { until } from '../../support/until.ts';
import { gameFile } from './game-file.ts';
import { NatsServer } from './nats-server.ts';
import { StandInPlatform } from './platform.ts';
import type { PlatformOptions } from './platform.ts';

const mainFile = fileURLToPath(new URL('../../../agent/src/main.ts', import.meta.url));

export interface InstanceSettings {
  name?: string;
  /** Another program than the plain game server. */
  program?: string;
  command?: string;
  args?: string[];
  [key: string]: unknown;
}

export interface StartOptions {
  args?: string[];
  isFileNamed?: boolean;
  /** Another program than the agent's sources, for Node to run. */
  program?: string;
  /** The agent as an executable. */
  executable?: string | undefined;
}

export class AgentProcess {
  readonly directory: string;
  /** Every line that the agent has logged, over all its lives. */
  output = '';
  #child: ChildProcess | null = null;

  constructor(directory: string) {
    this.directory = directory;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }
  get stateDirectory(): string {
    return join(this.directory, 'state');
  }

  /** One pid for each time that a game server was started. */
  starts(instance = 'main'): number[] {
    const file = this.#startsFile(instance);
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : [];
  }

  configure(instances: InstanceSettings[], more: Record<string, unknown> = {}): void {
    const settings = {
      ...more,
      instances: instances.map(({ args = [], name = 'main', program = gameFile, ...instance }) => ({
        name,
        command: process.execPath,
        args: [program, ...args],
        env: { STARTS_FILE: this.#startsFile(name), NODE_COMPILE_CACHE: compileCache },
        ready_after_seconds: 20,
        ready_pattern: 'started ',
        stop_grace_seconds: 5,
        ...instance,
      })),
    };
    writeFileSync(join(this.directory, 'gantry-agent.yaml'), JSON.stringify(settings));
  }

  start(
    environment: Record<string, string>,
    { args = [], isFileNamed = true, program = mainFile, executable }: StartOptions = {},
  ): void {
    const file = isFileNamed ? ['--config', join(this.directory, 'gantry-agent.yaml')] : [];
    const [command, ...first] =
      executable === undefined ? ([process.execPath, program] as const) : ([executable] as const);
    const child = spawn(command, [...first, ...file, ...args], {
      cwd: this.directory,
      env: {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: compileCache,
        GANTRY_AGENT_STATE: this.stateDirectory,
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const keep = (chunk: Buffer) => (this.output += chunk.toString());
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    this.#child = child;
  }

  /** Waits until it ends by itself. */
  async exit(): Promise<number | null> {
    if (this.#child === null) throw new Error('no agent was started');
    const [code] = (await once(this.#child, 'close')) as [number | null];
    this.#child = null;
    return code;
  }

  async untilOutput(text: string): Promise<void> {
    await until(() => this.output.includes(text), `"${text}" in the agent's output`);
  }

  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const child = this.#child;
    this.#child = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null)
      return child?.exitCode ?? null;
    const ended = once(child, 'exit') as Promise<[number | null]>;
    child.kill(signal);
    return (await ended)[0];
  }

  #startsFile(instance: string): string {
    return join(this.directory, `starts-${instance}.txt`);
  }

  /** Every game server that was ever started. */
  allStarts(): number[] {
    const names = readdirSync(this.directory).flatMap((name) => /^starts-(.+)\.txt$/.exec(name)?.[1] ?? []);
    return names.flatMap((name) => this.starts(name));
  }

  journal(): string {
    const file = join(this.stateDirectory, 'journal.jsonl');
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  }

  rssBytes(): number {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8'))?.[1]) * 1024;
  }
}

interface LaunchOptions extends StartOptions {
  environment?: Record<string, string>;
}

/** A bus, a platform and an agent, all taken down by `close()`. */
export class Stage {
  readonly nats: NatsServer;
  readonly platform: StandInPlatform;
  readonly agent: AgentProcess;
  readonly #directory: string;

  private constructor(nats: NatsServer, platform: StandInPlatform, agent: AgentProcess, directory: string) {
    this.nats = nats;
    this.platform = platform;
    this.agent = agent;
    this.#directory = directory;
  }

  static async open(options: Partial<PlatformOptions> & { natsConfiguration?: string } = {}): Promise<Stage> {
    const directory = await mkdtemp(join(tmpdir(), 'gantry-agent-'));
    const nats = await NatsServer.start(directory, options.natsConfiguration);
    const platform = await StandInPlatform.start({ natsUrl: nats.url, ...options });
    return new Stage(nats, platform, new AgentProcess(directory), directory);
  }

  /** Starts the agent and waits until it has greeted the platform. */
  async startAgent(options: LaunchOptions = {}): Promise<void> {
    const before = this.platform.hellos.length;
    this.launchAgent(options);
    await until(() => this.platform.hellos.length > before, 'hello').catch((error: unknown) => {
      throw new Error(this.agent.output, { cause: error });
    });
  }

  launchAgent({ environment = {}, ...options }: LaunchOptions = {}): void {
    const { url, token } = this.platform;
    this.agent.start({ GANTRY_URL: url, GANTRY_COMPANION_TOKEN: token, ...environment }, options);
  }

  async close(): Promise<void> {
    await this.agent.end('SIGKILL');
    for (const pid of this.agent.allStarts()) endProcess(pid);
    await this.platform.close();
    await this.nats.stop();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

export function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

function endProcess(pid: number): void {
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, 'SIGKILL');
    } catch {
      continue; // it has ended by itself
    }
  }
}
