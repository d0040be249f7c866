// Runs several agents in one process, one for each configuration file: what is wrong with one stops none of the others.
import { basename, extname, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { startAgent } from './agent.ts';
import type { Agent } from './agent.ts';
import type { Config } from './config.ts';
import { refuseOverlap } from './directory-overlap.ts';
import type { OwnedPath } from './directory-overlap.ts';
import { Messages } from './messages.ts';
import { SettingError } from './setting-error.ts';

export interface EnrolmentsOptions {
  files: readonly string[];
  /** Throws a SettingError. */
  read: (file: string) => Config;
  agentVersion: string;
  log: Logger;
  retryMs?: number;
}

const defaultRetryMs = 60_000;

export class Enrolments {
  readonly #options: EnrolmentsOptions;
  readonly #closed = new AbortController();
  /** Shared: the schemas of the contract are the largest part of what an agent holds. */
  readonly #messages = new Messages();
  readonly #running = new Map<string, Config>();
  readonly #agents = new Map<string, Agent>();
  /** What they had begun may go on, so this process does not begin it a second time. */
  readonly #failed = new Set<string>();
  #starting: Promise<unknown> = Promise.resolve();

  constructor(options: EnrolmentsOptions) {
    this.#options = options;
  }

  /**
   * Resolves once each file was tried; those that could not be read are tried again every minute. Throws a SettingError
   * where two files would share a directory, and where none can be read.
   */
  async start(): Promise<void> {
    const { files, read } = this.#options;
    const readable = new Map<string, Config>();
    const faults: SettingError[] = [];
    for (const file of files) {
      try {
        const config = read(file);
        for (const [other, present] of readable) refuseShared(file, config, other, present);
        readable.set(file, config);
      } catch (error) {
        if (!(error instanceof SettingError) || error instanceof SharedDirectoryError) throw error;
        faults.push(error);
      }
    }
    const [fault] = faults;
    if (readable.size === 0 && fault !== undefined) throw fault;
    await Promise.all(files.map((file) => this.#tryOnce(file)));
    if (this.#failed.size === files.length) throw new Error('none of the enrolments could be started');
    for (const file of files) if (!this.#agents.has(file)) void this.#keepTrying(file);
  }

  async stop(reason: string): Promise<void> {
    this.#closed.abort();
    await this.#starting;
    const stopped = await Promise.allSettled([...this.#agents.values()].map((agent) => agent.stop(reason)));
    for (const result of stopped)
      if (result.status === 'rejected')
        this.#options.log.error({ err: result.reason as unknown }, 'an agent did not end in good order');
  }

  async #keepTrying(file: string): Promise<void> {
    const { retryMs = defaultRetryMs } = this.#options;
    while (!this.#agents.has(file) && !this.#failed.has(file)) {
      try {
        await pause(retryMs, undefined, { signal: this.#closed.signal });
      } catch {
        return; // the process ends
      }
      await this.#tryOnce(file);
    }
  }

  /** One after another, so that each is compared with every one that runs. */
  #tryOnce(file: string): Promise<void> {
    const turn = this.#starting.then(() => this.#start(file));
    this.#starting = turn;
    return turn;
  }

  async #start(file: string): Promise<void> {
    if (this.#closed.signal.aborted) return;
    const { files, read, agentVersion } = this.#options;
    const log = this.#options.log.child({ enrolment: enrolmentOf(file) });
    let config: Config;
    try {
      config = read(file);
      for (const [other, present] of this.#running) refuseShared(file, config, other, present);
    } catch (error) {
      log.error({ err: error }, 'this enrolment could not be read; it is tried again, and the others go on');
      return;
    }
    // A file that can't be read yet may lie where an instance has its files.
    const guarded = { ...config, ownPaths: [...config.ownPaths, ...files.map((other) => resolve(other))] };
    const { instances, stateDirectory: state, url } = config;
    this.#running.set(file, config);
    try {
      this.#agents.set(file, await startAgent(guarded, agentVersion, log, this.#messages));
      log.info({ instances: instances.map(({ name }) => name), state, url }, 'agent started');
    } catch (error) {
      this.#failed.add(file);
      log.error(
        { err: error },
        'this enrolment could not be started; mend it and start the agent again. The others go on',
      );
    }
  }
}

/** Two files name the same directory: the whole start is refused, since nobody can tell whose it is. */
export class SharedDirectoryError extends SettingError {}

export const enrolmentOf = (file: string) => basename(file, extname(file));

function refuseShared(file: string, config: Config, other: string, present: Config): void {
  const [own, theirs] = [directoriesOf(config), directoriesOf(present)].map((paths, index) =>
    paths.map(({ path, owner }) => ({ path, owner: `${owner} in ${index === 0 ? file : other}` })),
  );
  const ownPathsOf = ({ ownPaths }: Config, of: string) =>
    ownPaths.map((path) => ({ path, owner: `settings of ${of}` }));
  try {
    refuseOverlaps(own, theirs);
    // Whoever may change files of the one would read the token of the other.
    refuseOverlaps(ownPathsOf(config, file), theirs);
    refuseOverlaps(ownPathsOf(present, other), own);
  } catch (error) {
    throw error instanceof SettingError ? new SharedDirectoryError(error.message) : error;
  }
}

function refuseOverlaps(paths: readonly OwnedPath[] = [], others: readonly OwnedPath[] = []): void {
  for (const { path, owner } of paths) refuseOverlap(owner, path, others);
}

/** Every directory in which an agent, its servers or its users write. */
function directoriesOf({
  stateDirectory,
  backupsDirectory,
  managedInstances,
  instances,
}: Config): OwnedPath[] {
  return [
    { path: stateDirectory, owner: 'state_dir' },
    { path: backupsDirectory, owner: 'backups_dir' },
    ...(managedInstances === undefined
      ? []
      : [{ path: managedInstances.baseDirectory, owner: 'managed_instances/base_directory' }]),
    ...instances.flatMap(({ name, cwd, root }) => [
      { path: cwd, owner: `cwd of the instance "${name}"` },
      { path: root, owner: `root of the instance "${name}"` },
    ]),
  ];
}
