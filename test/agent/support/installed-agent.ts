// An installation of the agent as install.sh makes it, in a directory of a test, with releases to update it to.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { copyFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { AgentPlatform } from '../../../scripts/agent-release/executable.ts';
import { writeRelease } from '../../../scripts/agent-release/release.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../../..');
const platform = `linux-${process.arch}` as AgentPlatform;
const fileName = `gantry-agent-${platform}`;

/** Builds of the agent, by version, and the key that signs their releases. */
export class Builds {
  readonly directory: string;
  readonly #key: KeyObject;
  readonly #original: Buffer;

  private constructor(directory: string, key: KeyObject, original: Buffer) {
    this.directory = directory;
    this.#key = key;
    this.#original = original;
  }

  static async open(): Promise<Builds> {
    const directory = await mkdtemp(join(tmpdir(), 'gantry-builds-'));
    const [out, key] = [join(directory, 'original'), join(directory, 'key.pem')];
    const flags = ['--platform', platform, '--out', out, '--key', key];
    await run(process.execPath, ['scripts/agent-release/build.ts', ...flags], { cwd: root });
    return new Builds(
      directory,
      createPrivateKey(await readFile(key, 'utf8')),
      await readFile(join(out, fileName)),
    );
  }

  get release(): string {
    return join(this.directory, 'release');
  }

  get keyPem(): string {
    return createPublicKey(this.#key).export({ type: 'spki', format: 'pem' }) as string;
  }

  pathOf(version: string): string {
    return join(this.directory, `agent-${version}`);
  }

  /** The agent with another version. The executable holds its script as text, which texts of the same length replace. */
  async write(version: string, changes: Readonly<Record<string, string>> = {}): Promise<void> {
    const bytes = Buffer.from(this.#original);
    replace(bytes, { '=`0.1.0`': `=\`${version}\``, ...changes });
    await writeFile(this.pathOf(version), bytes, { mode: 0o755 });
  }

  /** Releases that version, signed with the key or with another one. */
  async publish(version: string, { executable = version, key = this.#key } = {}): Promise<void> {
    await mkdir(this.release, { recursive: true });
    const path = this.pathOf(executable);
    const bytes = await readFile(path);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    await copyFile(path, join(this.release, fileName));
    const files = [{ platform, name: fileName, size: bytes.length, sha256 }];
    await writeRelease(this.release, { version, commit: 'a test', files }, key);
  }

  /** Changes a byte of the released executable. */
  async tamper(): Promise<void> {
    const path = join(this.release, fileName);
    const bytes = await readFile(path);
    bytes[5_000] = (bytes[5_000] ?? 0) ^ 1;
    await writeFile(path, bytes);
  }

  close(): Promise<void> {
    return rm(this.directory, { recursive: true, force: true });
  }
}

function replace(bytes: Buffer, texts: Readonly<Record<string, string>>): void {
  for (const [text, other] of Object.entries(texts)) {
    const at = bytes.indexOf(text);
    if (at < 0 || other.length !== text.length) throw new Error(`"${text}" cannot be replaced`);
    bytes.write(other, at);
  }
}

export interface InstallationOptions {
  builds: Builds;
  version: string;
  environment: Record<string, string>;
  /** Whether the launcher is started again whenever the agent ends, as by systemd. */
  isSupervised?: boolean;
  trialSeconds?: number;
}

export class InstalledAgent {
  readonly directory: string;
  readonly #options: InstallationOptions;
  /** Everything that its agents have logged. */
  output = '';
  /** How often it was started by its supervisor. */
  startCount = 0;
  #child: ChildProcess | undefined;
  #isStopped = false;

  private constructor(directory: string, options: InstallationOptions) {
    this.directory = directory;
    this.#options = options;
  }

  /** Installs that version; `prepare` may change the directory `bin` first. */
  static async install(
    options: InstallationOptions,
    prepare: (bin: string) => void = () => undefined,
  ): Promise<InstalledAgent> {
    const directory = await mkdtemp(join(tmpdir(), 'gantry-installed-'));
    const agent = new InstalledAgent(directory, options);
    await mkdir(agent.pathOf(''));
    prepare(agent.pathOf(''));
    const { builds, version, trialSeconds = 60 } = options;
    const launcher = await readFile(join(root, 'src/agent-release/launch.sh'), 'utf8');
    await writeFile(
      join(directory, 'launch'),
      launcher.replace('trial_seconds=60', `trial_seconds=${trialSeconds}`),
      { mode: 0o755 },
    );
    await writeFile(join(directory, 'release-key.pem'), builds.keyPem);
    await cp(builds.pathOf(version), agent.pathOf(`gantry-agent-${version}-first`));
    await writeFile(agent.pathOf('current'), `gantry-agent-${version}-first\n`);
    return agent;
  }

  pathOf(name: string): string {
    return join(this.directory, 'bin', name);
  }

  get configFile(): string {
    return join(this.directory, 'gantry-agent.yaml');
  }

  get current(): string {
    return readFileSync(this.pathOf('current'), 'utf8').trim();
  }

  /** Names in `bin`, in alphabetical order. */
  get names(): string[] {
    return readdirSync(this.pathOf('')).toSorted();
  }

  /** Pids of the agents that run. */
  get agents(): number[] {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0 && this.#runs(pid));
  }

  start(): void {
    const { environment, isSupervised = true } = this.#options;
    this.startCount += 1;
    const child = spawn(join(this.directory, 'launch'), {
      cwd: this.directory,
      env: {
        PATH: process.env['PATH'],
        GANTRY_AGENT_INSTALLATION: this.directory,
        GANTRY_AGENT_CONFIG: this.configFile,
        GANTRY_AGENT_STATE: join(this.directory, 'state'),
        ...(isSupervised && { INVOCATION_ID: 'a test' }),
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const keep = (chunk: Buffer) => (this.output += chunk.toString());
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    this.#child = child;
    child.once('exit', () => {
      if (isSupervised && !this.#isStopped) setTimeout(() => !this.#isStopped && this.start(), 200);
    });
  }

  /** Ends the agent as a crash would; a supervisor starts it again. */
  kill(): void {
    for (const pid of this.agents) process.kill(pid, 'SIGKILL');
  }

  async remove(): Promise<void> {
    this.#isStopped = true;
    const child = this.#child;
    const hasEnded = child === undefined || child.exitCode !== null || child.signalCode !== null;
    const ended = hasEnded ? undefined : once(child, 'exit');
    // A launcher that waits gives up.
    await rm(this.pathOf('restart.wanted'), { force: true });
    this.kill();
    await ended;
    await rm(this.directory, { recursive: true, force: true });
  }

  #runs(pid: number): boolean {
    const link = `/proc/${pid}/cmdline`;
    try {
      return existsSync(link) && readFileSync(link, 'utf8').startsWith(this.pathOf('gantry-agent-'));
    } catch {
      return false; // it has ended
    }
  }
}
