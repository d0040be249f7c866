// Manages the plugins of all instances on this host: receives sources, lists plugins and copies, runs commands.
import type { Logger } from 'pino';
import type { PlatformClock } from '../clock.ts';
import type { HandlersOf } from '../commands/command-handler.ts';
import { BrokenDownload, DownloadError } from '../errors.ts';
import type { StateDirectory } from '../state-files/state-directory.ts';
import { fileFailure, FileError } from '../instance-files/file-error.ts';
import type { InstanceFiles } from '../instance-files/instance-files.ts';
import type { Destination } from '../instance-files/transfers.ts';
import type { Messages, Schemas } from '../messages.ts';
import { RconError } from '../rcon/connection.ts';
import { refusal, unknownInstance } from '../request-refusal.ts';
import type { Instance } from '../supervisor/instance.ts';
import { failed, succeeded } from '../supervisor/outcome.ts';
import type { Outcome } from '../supervisor/outcome.ts';
import type { Supervisor } from '../supervisor/supervisor.ts';
import { pluginFolderOf } from './framework.ts';
import type { AllowsPrivate } from './module-source.ts';
import { PluginCommands } from './plugin-commands.ts';
import { PluginFiles } from './installed-files.ts';
import { PluginGame } from './plugin-game.ts';
import { PluginStore } from './plugin-store.ts';

type PluginVerb =
  | 'install_module'
  | 'install_plugin'
  | 'load_plugin'
  | 'reload_plugin'
  | 'restore_plugin'
  | 'uninstall_plugin'
  | 'unload_plugin';

export interface PluginServiceOptions {
  supervisor: Supervisor;
  files: (instance: string) => InstanceFiles | undefined;
  directory: StateDirectory;
  messages: Messages;
  clock: PlatformClock;
  /** Whether the URL of a module may lead to an address within this host's network. */
  allowsPrivate: AllowsPrivate;
  log: Logger;
}

export class PluginService {
  readonly #options: PluginServiceOptions;
  readonly #stores = new Map<string, PluginStore>();

  constructor(options: PluginServiceOptions) {
    this.#options = options;
    for (const name of options.supervisor.names) this.add(name);
  }

  add(name: string): void {
    const { directory, messages, log } = this.#options;
    this.#stores.set(name, new PluginStore(directory.instanceFile(name, 'plugins'), messages, log));
  }

  remove(name: string): void {
    this.#stores.delete(name);
  }

  recover(): void {
    for (const store of this.#stores.values()) void store.recover();
  }

  /** Refuses an upload at once when its installation could not succeed. */
  async receive(
    id: string,
    { name, plugin, isReplacing }: { name: string; plugin: string; isReplacing: boolean },
  ): Promise<Destination> {
    const { instance, store } = this.#of(name);
    const files = this.#filesOf(instance, store);
    await files.refuseTwin(plugin);
    const present = await files.read(plugin);
    if (!isReplacing && present !== null)
      throw new FileError('exists', `A plugin ${plugin} is already installed.`);
    return store.receive(id, plugin);
  }

  /** They run in a queue of their own, so that a slow compilation does not delay a stop command. */
  get commands(): HandlersOf<PluginVerb> {
    const queueOf = ({ instance }: { instance: string }) => `${instance} plugins`;
    const run =
      <C extends { instance: string }>(work: (commands: PluginCommands, command: C) => Promise<Outcome>) =>
      (command: C) =>
        this.#run(command.instance, (commands) => work(commands, command));
    return {
      load_plugin: { queueOf, run: run((commands, { args }) => commands.load(args)) },
      unload_plugin: { queueOf, run: run((commands, { args }) => commands.unload(args)) },
      reload_plugin: { queueOf, run: run((commands, { args }) => commands.reload(args)) },
      restore_plugin: { queueOf, run: run((commands, { id, args }) => commands.restore(id, args)) },
      uninstall_plugin: {
        queueOf,
        run: run((commands, { id, args }) => commands.uninstall(id, args)),
        outcomeAfterInterruption: ({ id, instance, args: { plugin } }) =>
          this.#afterInterruption(instance, async (files, store) => {
            if ((await files.read(plugin)) !== null) return undefined;
            return (await store.copy(id))?.plugin === plugin
              ? succeeded(`${plugin} is removed, and a copy of it is kept.`)
              : failed(
                  'interrupted',
                  `The agent was interrupted. ${plugin} is gone, and no copy of it was made.`,
                );
          }),
      },
      install_plugin: {
        queueOf,
        run: run((commands, { id, args }) => commands.install(id, args)),
        outcomeAfterInterruption: ({ instance, args }) => this.#installAfterInterruption(instance, args),
      },
      install_module: {
        queueOf,
        run: run((commands, { id, args }) => commands.installModule(id, args)),
        outcomeAfterInterruption: ({ instance, args }) => this.#installAfterInterruption(instance, args),
      },
    };
  }

  async #run(instance: string, work: (commands: PluginCommands) => Promise<Outcome>): Promise<Outcome> {
    try {
      return await work(this.#commandsOf(instance));
    } catch (error) {
      if (error instanceof RconError) return failed('game_unreachable', error.message);
      if (error instanceof DownloadError) return failed('module_not_fetched', error.message);
      if (error instanceof BrokenDownload)
        return failed('module_not_fetched', `The module could not be fetched: ${error.message}.`);
      return fileFailure(error, 'plugins');
    }
  }

  #installAfterInterruption(
    instance: string,
    { plugin, sha256 }: { plugin: string; sha256: string },
  ): Promise<Outcome | undefined> {
    return this.#afterInterruption(instance, async (files) => {
      const seen = (await files.has(plugin, sha256))
        ? 'The file is in its place; whether it was loaded is in the list of plugins.'
        : 'The file was not put in its place.';
      return failed('interrupted', `The agent was interrupted. ${seen}`);
    });
  }

  /** Determines the outcome from what is on disk; undefined when that does not decide it. */
  async #afterInterruption(
    name: string,
    work: (files: PluginFiles, store: PluginStore) => Promise<Outcome | undefined>,
  ): Promise<Outcome | undefined> {
    try {
      const { instance, store } = this.#of(name);
      return await work(this.#filesOf(instance, store), store);
    } catch (error) {
      this.#options.log.warn(
        { err: error, instance: name },
        'the outcome of an interrupted plugin command is unknown',
      );
      return undefined;
    }
  }

  async list(name: string): Promise<Schemas['PluginsReply']> {
    const instance = this.#options.supervisor.instance(name);
    if (instance === undefined) return unknownInstance(name);
    const { rcon } = instance.context;
    if (rcon === null) return refusal('not_supported', 'The agent’s configuration names no RCON for it.');
    if (instance.pid === null) return refusal('not_running', `The instance is ${instance.state}.`);
    const { modding } = rcon;
    if (rcon.isConnected && modding === null)
      return refusal('not_supported', 'The game server runs neither Oxide nor Carbon.');
    try {
      const plugins = await new PluginGame(rcon, modding?.framework ?? 'oxide').list();
      return {
        v: 1,
        ok: true,
        at: this.#options.clock.nowText(),
        framework: modding?.framework ?? 'oxide',
        framework_version: (modding?.version ?? '').slice(0, 50),
        plugins,
      };
    } catch (error) {
      if (!(error instanceof RconError)) throw error;
      return refusal('game_unreachable', error.message);
    }
  }

  async listCopies(name: string): Promise<Schemas['PluginCopiesReply']> {
    const store = this.#stores.get(name);
    if (store === undefined) return unknownInstance(name);
    return { v: 1, ok: true, copies: await store.copies(Date.now()) };
  }

  #commandsOf(name: string): PluginCommands {
    const { instance, store } = this.#of(name);
    const files = () => this.#filesOf(instance, store);
    const { allowsPrivate, log } = this.#options;
    return new PluginCommands({ instance, store, files, allowsPrivate, log });
  }

  #of(name: string): { instance: Instance; store: PluginStore } {
    const instance = this.#options.supervisor.instance(name);
    const store = this.#stores.get(name);
    if (instance === undefined || store === undefined)
      throw new FileError('unknown_instance', `This host has no instance "${name}".`);
    return { instance, store };
  }

  #filesOf(instance: Instance, store: PluginStore): PluginFiles {
    const files = this.#options.files(instance.name);
    if (files === undefined)
      throw new FileError('unknown_instance', `This host has no instance "${instance.name}".`);
    return new PluginFiles(files, store, pluginFolderOf(instance));
  }
}
