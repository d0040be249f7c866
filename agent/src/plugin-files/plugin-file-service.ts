// Manages the plugin files of all instances on this host: paths, uploads, commands and recovery.
import type { Logger } from 'pino';
import { pause } from '../backoff.ts';
import type { Command, HandlersOf } from '../commands/command-handler.ts';
import type { StateDirectory } from '../state-files/state-directory.ts';
import { FileError } from '../instance-files/file-error.ts';
import type { InstanceFiles } from '../instance-files/instance-files.ts';
import type { Destination } from '../instance-files/transfers.ts';
import { pluginFilePathOf } from '../plugins/framework.ts';
import { gameOf } from '../plugins/plugin-game.ts';
import type { Instance } from '../supervisor/instance.ts';
import { failed } from '../supervisor/outcome.ts';
import type { Outcome } from '../supervisor/outcome.ts';
import type { Supervisor } from '../supervisor/supervisor.ts';
import { FileApplication, applicationFailure } from './file-application.ts';
import { InterruptedApplication, pollMs, maxWaitMs } from './interrupted-application.ts';
import { GuardedFiles } from './guarded-files.ts';
import { ApplicationRecordFile } from './application-record.ts';
import { PluginFileStore } from './plugin-file-store.ts';

export interface PluginFileServiceOptions {
  supervisor: Supervisor;
  files: (instance: string) => InstanceFiles | undefined;
  directory: StateDirectory;
  log: Logger;
}

export class PluginFileService {
  readonly #options: PluginFileServiceOptions;
  readonly #stores = new Map<string, PluginFileStore>();
  /** Unfinished commands of an earlier agent, by instance. Later commands for the instance wait for them. */
  readonly #finishing = new Map<string, Promise<Outcome | undefined>>();
  readonly #closing = new AbortController();

  constructor(options: PluginFileServiceOptions) {
    this.#options = options;
    for (const name of options.supervisor.names) this.add(name);
  }

  add(name: string): void {
    const { directory, log } = this.#options;
    this.#stores.set(name, new PluginFileStore(directory.instanceFile(name, 'plugin-files'), log));
  }

  remove(name: string): void {
    this.#stores.delete(name);
    this.#finishing.delete(name);
  }

  /** Runs in the same queue as the instance's other plugin commands. */
  get commands(): HandlersOf<'apply_plugin_files'> {
    return {
      apply_plugin_files: {
        queueOf: ({ instance }) => `${instance} plugins`,
        run: (command) => this.#run(command),
        finishInterrupted: ({ id, instance }) => this.#finishInterrupted(id, instance),
      },
    };
  }

  pathOf(name: string, file: string): string {
    return pluginFilePathOf(this.#of(name).instance, file);
  }

  receive(name: string, id: string): Promise<Destination> {
    return this.#of(name).store.receive(id);
  }

  /**
   * Restores files that an earlier agent was writing. Plugins that it was loading are checked once RCON is connected.
   */
  async recover(): Promise<void> {
    for (const [name, store] of this.#stores) {
      await store.recover();
      try {
        await this.#resume(name);
      } catch (error) {
        this.#options.log.error({ err: error, instance: name }, 'plugin files could not be restored');
      }
    }
  }

  close(): void {
    this.#closing.abort();
  }

  async #run({ id, instance: name, args }: Command<'apply_plugin_files'>): Promise<Outcome> {
    try {
      const stuck = await this.#unfinished(name);
      if (stuck !== undefined) return stuck;
      const { instance, application } = this.#of(name);
      await this.#untilStarted(instance);
      return await application.run(id, args);
    } catch (error) {
      return applicationFailure(error);
    }
  }

  /** Starts to finish an interrupted command, if there is one. */
  async #resume(name: string): Promise<void> {
    const { recordFile, application, instance } = this.#of(name);
    const record = recordFile.read();
    if (record === null || record === undefined || record.phase === 'over') return;
    const { signal } = this.#closing;
    const interrupted = await InterruptedApplication.of(record, { instance, application, signal });
    this.#finishing.set(name, interrupted.finish());
  }

  /** Returns why no new command may begin: former files are still not restored after another attempt. */
  async #unfinished(name: string): Promise<Outcome | undefined> {
    const { recordFile } = this.#of(name);
    const isOver = () => (recordFile.read()?.phase ?? 'over') === 'over';
    await this.#finishing.get(name);
    if (isOver()) return undefined;
    await this.#resume(name);
    const ended = await this.#finishing.get(name);
    return isOver()
      ? undefined
      : failed('files_refused', `An earlier command has not ended. ${ended?.detail ?? ''}`);
  }

  /** Resolves with undefined when the outcome is unknown. */
  async #finishInterrupted(id: string, name: string): Promise<Outcome | undefined> {
    // The instance is no longer configured, so there is no outcome to report.
    if (!this.#stores.has(name)) return undefined;
    const record = this.#of(name).recordFile.read();
    if (record === undefined) return undefined;
    if (record?.id !== id)
      return failed('interrupted', 'The agent was interrupted before it had changed anything.');
    return record.phase === 'over' ? record.outcome : this.#finishing.get(name);
  }

  /** Waits for a server that is starting: it may have read the old files already and must then reload them. */
  async #untilStarted(instance: Instance): Promise<void> {
    const { signal } = this.#closing;
    const deadlineMs = performance.now() + maxWaitMs;
    const isStarting = () =>
      instance.state === 'starting' && instance.context.rcon !== null && gameOf(instance) === null;
    while (isStarting() && !signal.aborted && performance.now() < deadlineMs) await pause(pollMs, signal);
  }

  #of(name: string) {
    const instance = this.#options.supervisor.instance(name);
    const files = this.#options.files(name);
    const store = this.#stores.get(name);
    if (instance === undefined || files === undefined || store === undefined)
      throw new FileError('unknown_instance', `This host has no instance "${name}".`);
    const recordFile = new ApplicationRecordFile(store.recordFile, this.#options.log);
    const guarded = new GuardedFiles(files);
    const pathOf = (file: string) => pluginFilePathOf(instance, file);
    const { log } = this.#options;
    const application = new FileApplication({ instance, guarded, store, recordFile, pathOf, log });
    return { instance, store, recordFile, application };
  }
}
