// Holds the files of plugins of every instance of this host: where they are, what is to be written to them, and what was cut off.
import type { Logger } from 'pino';
import { pause } from '../backoff.ts';
import type { CommandArea } from '../commands/area.ts';
import type { StateDirectory } from '../files/state-directory.ts';
import { FileError } from '../instance-files/file-error.ts';
import type { InstanceFiles } from '../instance-files/instance-files.ts';
import type { Destination } from '../instance-files/transfers.ts';
import type { CommandEnvelope, Messages } from '../messages.ts';
import { pluginFilePathOf } from '../plugins/framework.ts';
import { PluginGame } from '../plugins/plugin-game.ts';
import { gameOf } from '../plugins/reachable-game.ts';
import type { Instance } from '../supervisor/instance.ts';
import { failed } from '../supervisor/outcome.ts';
import type { Outcome } from '../supervisor/outcome.ts';
import type { Supervisor } from '../supervisor/supervisor.ts';
import { Applying, outcomeOf } from './applying.ts';
import { Placing } from './placing.ts';
import { ApplyRecordFile } from './record.ts';
import type { ApplyRecord } from './record.ts';
import { PluginFileStore } from './store.ts';

export interface PluginFileServiceOptions {
  supervisor: Supervisor;
  files: (instance: string) => InstanceFiles | undefined;
  directory: StateDirectory;
  messages: Messages;
  log: Logger;
}

/** How long a server may take to answer before what was cut off is left to people. */
const patienceMs = 10 * 60_000;
const lookMs = 1_000;

export class PluginFileService {
  readonly #options: PluginFileServiceOptions;
  readonly #stores: ReadonlyMap<string, PluginFileStore>;
  /** What an agent before this one was at, by instance. */
  readonly #interrupted = new Map<string, ApplyRecord>();
  /** What sees to it once the server answers; whatever comes next for the instance waits for that. */
  readonly #finishing = new Map<string, Promise<void>>();
  readonly #closing = new AbortController();

  constructor(options: PluginFileServiceOptions) {
    this.#options = options;
    const { supervisor, directory, log } = options;
    this.#stores = new Map(
      supervisor.names.map((name) => [
        name,
        new PluginFileStore(directory.instanceFile(name, 'plugin-files'), log),
      ]),
    );
  }

  /** They wait for what else is done with the plugins, and it for them. */
  get commands(): CommandArea {
    return {
      verbs: ['apply_plugin_files'],
      lineOf: ({ instance }) => `${instance} plugins`,
      carryOut: (command) => this.#run(command),
      judge: ({ id, instance }) => this.#judge(id, instance),
    };
  }

  pathOf(name: string, file: string): string {
    return pluginFilePathOf(this.#of(name).instance, file);
  }

  receive(name: string, id: string): Promise<Destination> {
    return this.#of(name).store.receive(id);
  }

  /** Takes back what an agent before this one was writing. What it was loading is looked at once the server answers. */
  async recover(): Promise<void> {
    for (const [name, store] of this.#stores) {
      await store.recover();
      const { recordFile, applying, instance } = this.#of(name);
      const record = recordFile.read();
      if (record === null || record.phase === 'over') continue;
      this.#interrupted.set(name, record);
      try {
        if (record.phase === 'writing') await applying.takeBack(record, false);
        this.#finishing.set(name, this.#finish(instance, record));
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
    await this.#finishing.get(name);
    try {
      const { instance, applying } = this.#of(name);
      await this.#started(instance);
      return await applying.run(id, parsed.value);
    } catch (error) {
      return outcomeOf(error);
    }
  }

  #judge(id: string, name: string): Promise<Outcome | undefined> {
    const interrupted = this.#interrupted.get(name);
    if (interrupted?.id !== id) return Promise.resolve(undefined);
    const detail =
      interrupted.phase === 'writing'
        ? 'The agent was interrupted; the former files are back.'
        : 'The agent was interrupted once the files were written. Should the plugin have failed, it gets its former files back when the server answers.';
    return Promise.resolve(failed('interrupted', detail));
  }

  /** Sees to the plugins of a command that was cut off, once the server can be asked. */
  async #finish(instance: Instance, record: ApplyRecord): Promise<void> {
    const { applying, recordFile } = this.#of(instance.name);
    const { log } = this.#options;
    try {
      const game = await this.#reachable(instance);
      if (game !== null) {
        const states = await Promise.all(record.plugins.map((plugin) => game.find(plugin)));
        const hasFailed = states.some((found) => found?.state === 'failed');
        const isLoading = record.phase === 'loading';
        if (hasFailed && isLoading) await applying.takeBack(record, true);
        // Nobody knows whether those that are loaded have read what was written.
        const toLoad = hasFailed || isLoading ? record.plugins : record.unloaded;
        const outcomes = await applying.reload(game, { ...record, plugins: toLoad }, 'gantry');
        if (isLoading && !hasFailed && outcomes.some(({ isSuccess }) => !isSuccess)) {
          await applying.takeBack(record, true);
          await applying.reload(game, record, 'gantry');
        }
      }
      if (!this.#closing.signal.aborted && recordFile.read()?.id === record.id)
        await recordFile.write({ ...record, phase: 'over' });
    } catch (error) {
      log.error(
        { err: error, instance: instance.name },
        'plugins could not be seen to after an interruption',
      );
    }
  }

  /** A server that starts may have read the files already: it is waited for, so that it can be told to read them. */
  async #started(instance: Instance): Promise<void> {
    const { signal } = this.#closing;
    const deadlineMs = performance.now() + patienceMs;
    const isStarting = () =>
      instance.state === 'starting' && instance.context.rcon !== null && gameOf(instance) === null;
    while (isStarting() && !signal.aborted && performance.now() < deadlineMs) await pause(lookMs, signal);
  }

  /** Null once the server does not run, or nobody can speak to it. */
  async #reachable(instance: Instance): Promise<PluginGame | null> {
    const { signal } = this.#closing;
    const deadlineMs = performance.now() + patienceMs;
    while (instance.pid !== null && !signal.aborted && performance.now() < deadlineMs) {
      const game = gameOf(instance);
      if (game instanceof PluginGame) return game;
      await pause(lookMs, signal);
    }
    return null;
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
    const applying = new Applying({ instance, placing, store, recordFile, pathOf });
    return { instance, store, recordFile, applying };
  }
}
