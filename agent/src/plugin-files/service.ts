// Manages the plugin files of all instances on this host: paths, uploads, commands and recovery.
import type { Logger } from 'pino';
import { pause } from '../backoff.ts';
import type { CommandArea } from '../commands/area.ts';
import type { StateDirectory } from '../files/state-directory.ts';
import { FileError } from '../instance-files/file-error.ts';
import type { InstanceFiles } from '../instance-files/instance-files.ts';
import type { Destination } from '../instance-files/transfers.ts';
import type { CommandEnvelope, Messages } from '../messages.ts';
import { pluginFilePathOf } from '../plugins/framework.ts';
import { gameOf } from '../plugins/reachable-game.ts';
import type { Instance } from '../supervisor/instance.ts';
import { failed } from '../supervisor/outcome.ts';
import type { Outcome } from '../supervisor/outcome.ts';
import type { Supervisor } from '../supervisor/supervisor.ts';
import { Applying, outcomeOf } from './applying.ts';
import { Interruption, lookMs, patienceMs } from './interruption.ts';
import { Placing } from './placing.ts';
import { ApplyRecordFile } from './record.ts';
import { PluginFileStore } from './store.ts';

export interface PluginFileServiceOptions {
  supervisor: Supervisor;
  files: (instance: string) => InstanceFiles | undefined;
  directory: StateDirectory;
  messages: Messages;
  log: Logger;
}

export class PluginFileService {
  readonly #options: PluginFileServiceOptions;
  readonly #stores = new Map<string, PluginFileStore>();
  /** Unfinished commands of an earlier agent, by instance. Later commands for the instance wait for them. */
  readonly #endings = new Map<string, Promise<Outcome | undefined>>();
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
    this.#endings.delete(name);
  }

  /** Runs in the same queue as the instance's other plugin commands. */
  get commands(): CommandArea {
    return {
      verbs: ['apply_plugin_files'],
      lineOf: ({ instance }) => `${instance} plugins`,
      carryOut: (command) => this.#run(command),
      endingOf: ({ id, instance }) => this.#endingOf(id, instance),
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
        await this.#takeUp(name);
      } catch (error) {
        this.#options.log.error({ err: error, instance: name }, 'files of plugins could not be put back');
      }
    }
  }

  close(): void {
    this.#closing.abort();
  }

  async #run({ id, instance: name, args }: CommandEnvelope): Promise<Outcome> {
    const parsed = this.#options.messages.check('ApplyPluginFilesArguments', args);
    if (!parsed.isValid) return failed('internal', `args${parsed.detail}`);
    try {
      const stuck = await this.#unfinished(name);
      if (stuck !== undefined) return stuck;
      const { instance, applying } = this.#of(name);
      await this.#started(instance);
      return await applying.run(id, parsed.value);
    } catch (error) {
      return outcomeOf(error);
    }
  }

  /** Starts to finish an interrupted command, if there is one. */
  async #takeUp(name: string): Promise<void> {
    const { recordFile, applying, instance } = this.#of(name);
    const record = recordFile.read();
    if (record === null || record === undefined || record.phase === 'over') return;
    const { signal } = this.#closing;
    const interruption = await Interruption.of(record, { instance, applying, signal });
    this.#endings.set(name, interruption.end());
  }

  /** Returns why no new command may begin: former files are still not restored after another attempt. */
  async #unfinished(name: string): Promise<Outcome | undefined> {
    const { recordFile } = this.#of(name);
    const isOver = () => (recordFile.read()?.phase ?? 'over') === 'over';
    await this.#endings.get(name);
    if (isOver()) return undefined;
    await this.#takeUp(name);
    const ended = await this.#endings.get(name);
    return isOver()
      ? undefined
      : failed('files_refused', `An earlier command is not over. ${ended?.detail ?? ''}`);
  }

  /** Resolves with undefined when the outcome is unknown. */
  async #endingOf(id: string, name: string): Promise<Outcome | undefined> {
    // The instance is no longer configured, so there is no outcome to report.
    if (!this.#stores.has(name)) return undefined;
    const record = this.#of(name).recordFile.read();
    if (record === undefined) return undefined;
    if (record?.id !== id)
      return failed('interrupted', 'The agent was interrupted before it had changed anything.');
    return record.phase === 'over' ? record.outcome : this.#endings.get(name);
  }

  /** Waits for a server that is starting: it may have read the old files already and must then reload them. */
  async #started(instance: Instance): Promise<void> {
    const { signal } = this.#closing;
    const deadlineMs = performance.now() + patienceMs;
    const isStarting = () =>
      instance.state === 'starting' && instance.context.rcon !== null && gameOf(instance) === null;
    while (isStarting() && !signal.aborted && performance.now() < deadlineMs) await pause(lookMs, signal);
  }

  #of(name: string) {
    const instance = this.#options.supervisor.instance(name);
    const files = this.#options.files(name);
    const store = this.#stores.get(name);
    if (instance === undefined || files === undefined || store === undefined)
      throw new FileError('unknown_instance', `This host has no instance "${name}".`);
    const recordFile = new ApplyRecordFile(store.recordFile, this.#options.log);
    const placing = new Placing(files);
    const pathOf = (file: string) => pluginFilePathOf(instance, file);
    const { log } = this.#options;
    const applying = new Applying({ instance, placing, store, recordFile, pathOf, log });
    return { instance, store, recordFile, applying };
  }
}
