// The installed executables of this agent, and the trial of a new one; launch.sh of the installation uses the same files.
import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isMissing } from '../errors.ts';
import { replaceDurably, syncDirectory } from '../state-files/durable-file.ts';

/** Set by the launcher: the directory that install.sh made. */
const directoryVariable = 'GANTRY_AGENT_INSTALLATION';
/** Set by systemd, which starts an agent that has ended. */
const systemdVariable = 'INVOCATION_ID';

interface Trial {
  former: string;
  next: string;
}

export class Installation {
  readonly #directory: string;
  /** Name of the executable that runs. */
  readonly #running: string;

  constructor(directory: string, running: string) {
    this.#directory = directory;
    this.#running = running;
  }

  /** Undefined if the launcher of an installation has not started this executable. */
  static find(environment: NodeJS.ProcessEnv, executable: string): Installation | undefined {
    const directory = environment[directoryVariable];
    if (directory === undefined || directory === '') return undefined;
    try {
      if (realpathSync(dirname(executable)) !== realpathSync(join(directory, 'bin'))) return undefined;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
    return new Installation(directory, basename(executable));
  }

  get keyFile(): string {
    return join(this.#directory, 'release-key.pem');
  }

  pathOf(name: string): string {
    return join(this.#directory, 'bin', name);
  }

  /**
   * Makes the launcher start the other executable next, and this one again unless the other confirms the trial. Each
   * step is durable; the launcher completes or reverts what a power loss leaves between two of them.
   */
  async beginTrial(next: string): Promise<void> {
    await rm(this.pathOf('trial.started'), { force: true });
    await rm(this.pathOf('trial.confirmed'), { force: true });
    syncDirectory(this.pathOf(''));
    await replaceDurably(this.pathOf('trial'), `${this.#running}\n${next}\n`);
    await replaceDurably(this.pathOf('current'), `${next}\n`);
  }

  /** Reverts what `beginTrial` has written before it failed. */
  async cancelTrial(): Promise<void> {
    if ((await this.#current()) !== this.#running)
      await replaceDurably(this.pathOf('current'), `${this.#running}\n`);
    await rm(this.pathOf('trial'), { force: true });
  }

  /** Ends the trial of this executable, if it is on trial. Returns false if the launcher has decided against it. */
  async confirm(): Promise<boolean> {
    const trial = await this.#read('trial');
    if (trial?.next === this.#running) return this.#endTrial(trial);
    // The launcher first renames the record of the trial, then makes the former executable current.
    if ((await this.#read('trial.expired'))?.next === this.#running) return false;
    return (await this.#current()) === this.#running;
  }

  /**
   * Has the launcher start what is current after this process has ended. systemd does that by itself; otherwise the
   * launcher waits whether another supervisor does.
   */
  async startAfterwards(environment: NodeJS.ProcessEnv): Promise<void> {
    if (environment[systemdVariable]) return;
    await writeFile(this.pathOf('restart.wanted'), '');
    const launcher = join(this.#directory, 'launch');
    spawn(launcher, ['await', String(process.pid)], { detached: true, stdio: 'inherit', env: environment })
      .on('error', () => undefined) // a supervisor may start it all the same
      .unref();
  }

  /** Deletes executables and unfinished downloads, except those named. */
  async removeOthers(kept: readonly string[]): Promise<void> {
    const names = await readdir(this.pathOf(''));
    for (const name of names)
      if (name.startsWith('gantry-agent-') && name !== this.#running && !kept.includes(name))
        await rm(this.pathOf(name), { force: true });
  }

  async #endTrial({ former }: Trial): Promise<boolean> {
    try {
      // The launcher renames the same file when the time is up; whichever rename comes first decides.
      await rename(this.pathOf('trial'), this.pathOf('trial.confirmed'));
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
    syncDirectory(this.pathOf(''));
    await rm(this.pathOf('trial.started'), { force: true });
    await rm(this.pathOf('trial.confirmed'), { force: true });
    await this.removeOthers([former]);
    return true;
  }

  async #current(): Promise<string> {
    return (await readFile(this.pathOf('current'), 'utf8')).trim();
  }

  async #read(name: string): Promise<Trial | undefined> {
    try {
      const [former = '', next = ''] = (await readFile(this.pathOf(name), 'utf8')).trim().split('\n');
      return { former, next };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }
}
