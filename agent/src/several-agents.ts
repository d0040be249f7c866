// Runs several agents in one process, one for each configuration file; a fault in one does not stop the others.
import { basename, extname, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { startAgent } from './agent.ts';
import type { Agent } from './agent.ts';
import type { Config } from './config.ts';
import { refuseOverlap } from './directory-overlap.ts';
import type { OwnedPath } from './directory-overlap.ts';
import { Messages } from './messages.ts';
import { SettingError } from './errors.ts';
import type { OwnInstallation } from './updates/agent-updates.ts';

export interface EnrolmentsOptions {
  files: readonly string[];
  /** Throws a SettingError. */
  read: (file: string) => Config;
  agentVersion: string;
  own: OwnInstallation;
  log: Logger;
  retryMs?: number;
}

const defaultRetryMs = 60_000;

export class Enrolments {
  readonly #options: EnrolmentsOptions;
  readonly #closed = new AbortController();
  /** Shared, because the contract's schemas are the largest part of an agent's memory. */
  readonly #messages = new Messages();
  readonly #running = new Map<string, Config>();
  readonly #agents = new Map<string, Agent>();
  /** Enrolments whose start failed. They are not retried, because parts of the first start may still be running. */
  readonly #failed = new Set<string>();
  #starting: Promise<unknown> = Promise.resolve();

  constructor(options: EnrolmentsOptions) {
    this.#options = options;
  }

  /**
   * Resolves once every file has been tried. Files that cannot be read are retried every minute. Throws a SettingError
   * when two files share a directory, or when none can be read.
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
        this.#options.log.error({ err: result.reason as unknown }, 'an agent did not stop cleanly');
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

  /** One at a time, so that each file is compared with all running enrolments. */
  #tryOnce(file: string): Promise<void> {
    const turn = this.#starting.then(() => this.#start(file));
    this.#starting = turn;
    return turn;
  }

  async #start(file: string): Promise<void> {
    if (this.#closed.signal.aborted) return;
    const { files, read, agentVersion, own } = this.#options;
    const log = this.#options.log.child({ enrolment: enrolmentOf(file) });
    let config: Config;
    try {
      config = read(file);
      for (const [other, present] of this.#running) refuseShared(file, config, other, present);
    } catch (error) {
      log.error({ err: error }, 'this enrolment could not be read; it is retried, and the others continue');
      return;
    }
    // A file that cannot be read yet may lie within an instance's files, so all files are protected.
    const guarded = { ...config, ownPaths: [...config.ownPaths, ...files.map((other) => resolve(other))] };
    const { instances, stateDirectory: state, url } = config;
    this.#running.set(file, config);
    try {
      this.#agents.set(file, await startAgent(guarded, agentVersion, log, own, this.#messages));
      log.info({ instances: instances.map(({ name }) => name), state, url }, 'agent started');
    } catch (error) {
      this.#failed.add(file);
      log.error(
        { err: error },
        'this enrolment could not be started; correct it and start the agent again. The others continue',
      );
    }
  }
}

/** Two files name the same directory. The whole start is refused, because its owner cannot be determined. */
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
    // A user who may change files of one enrolment could otherwise read the token of the other.
    refuseOverlaps(ownPathsOf(config, file), theirs);
    refuseOverlaps(ownPathsOf(present, other), own);
  } catch (error) {
    throw error instanceof SettingError ? new SharedDirectoryError(error.message) : error;
  }
}

function refuseOverlaps(paths: readonly OwnedPath[] = [], others: readonly OwnedPath[] = []): void {
  for (const { path, owner } of paths) refuseOverlap(owner, path, others);
}

/** Returns every directory that an agent, its servers or its users write to. */
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
