// Manages the plugins of all instances on this host: receives sources, lists plugins and copies, runs commands.
import type { Logger } from 'pino';
import type { PlatformClock } from '../clock.ts';
import type { CommandArea } from '../commands/area.ts';
import { BrokenDownload, DownloadError } from '../downloads/download-error.ts';
import type { StateDirectory } from '../files/state-directory.ts';
import { refusedByFiles } from '../instance-files/file-commands.ts';
import { asFileError, FileError } from '../instance-files/file-error.ts';
import type { InstanceFiles } from '../instance-files/instance-files.ts';
import type { Destination } from '../instance-files/transfers.ts';
import { cutDetail } from '../messages.ts';
import type { Messages, Schemas } from '../messages.ts';
import { RconError } from '../rcon/connection.ts';
import type { Instance } from '../supervisor/instance.ts';
import { failed, succeeded } from '../supervisor/outcome.ts';
import type { Outcome } from '../supervisor/outcome.ts';
import type { Supervisor } from '../supervisor/supervisor.ts';
import { pluginFolderOf } from './framework.ts';
import type { MayBePrivate } from './module-source.ts';
import { asPluginCommand, PluginCommands, pluginVerbs } from './plugin-commands.ts';
import type { PluginCommand } from './plugin-commands.ts';
import { PluginFiles } from './plugin-files.ts';
import { PluginGame } from './plugin-game.ts';
import { PluginStore } from './plugin-store.ts';

type Refusal = { v: 1; ok: false; error: Schemas['AnswerError'] };

export interface PluginServiceOptions {
  supervisor: Supervisor;
  files: (instance: string) => InstanceFiles | undefined;
  directory: StateDirectory;
  messages: Messages;
  clock: PlatformClock;
  /** Of modules. */
  mayBePrivate: MayBePrivate;
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
      throw new FileError('exists', `There is a plugin ${plugin} already.`);
    return store.receive(id, plugin);
  }

  /** Runs in a queue of its own, so that a slow compilation does not delay a stop command. */
  get commands(): CommandArea {
    return {
      verbs: pluginVerbs,
      lineOf: ({ instance }) => `${instance} plugins`,
      carryOut: (command) => this.#run(asPluginCommand(command)),
      judge: (command) => this.#judge(asPluginCommand(command)),
    };
  }

  async #run(command: PluginCommand): Promise<Outcome> {
    try {
      return await this.#commandsOf(command.instance).run(command);
    } catch (error) {
      if (error instanceof RconError) return failed('game_unreachable', error.message);
      if (error instanceof DownloadError) return failed('module_not_fetched', error.message);
      if (error instanceof BrokenDownload)
        return failed('module_not_fetched', `The module could not be fetched: ${error.message}.`);
      const { code, message } = asFileError(error);
      return code === 'not_supported' ? failed('not_supported', message) : refusedByFiles(error);
    }
  }

  /** Determines the outcome of an interrupted command from what is on disk; undefined when that does not decide it. */
  async #judge({ id, instance: name, verb, args }: PluginCommand): Promise<Outcome | undefined> {
    try {
      const { messages } = this.#options;
      const { instance, store } = this.#of(name);
      const files = this.#filesOf(instance, store);
      if (verb === 'uninstall_plugin') {
        const asked = messages.check('PluginArguments', args);
        if (!asked.isValid || (await files.read(asked.value.plugin)) !== null) return undefined;
        const { plugin } = asked.value;
        return (await store.copy(id))?.plugin === plugin
          ? succeeded(`${plugin} is removed, and a copy of it is kept.`)
          : failed(
              'interrupted',
              `The agent was interrupted. ${plugin} is gone, and no copy of it was made.`,
            );
      }
      if (verb !== 'install_plugin' && verb !== 'install_module') return undefined;
      const isModule = verb === 'install_module';
      const asked = messages.check(isModule ? 'InstallModuleArguments' : 'InstallPluginArguments', args);
      if (!asked.isValid) return undefined;
      const isThere = await files.has(asked.value.plugin, asked.value.sha256);
      const seen = isThere
        ? 'The file is in its place; whether it was loaded is in the list of plugins.'
        : 'The file was not put in its place.';
      return failed('interrupted', `The agent was interrupted. ${seen}`);
    } catch (error) {
      this.#options.log.warn(
        { err: error, instance: name },
        'an interrupted plugin command can not be judged',
      );
      return undefined;
    }
  }

  async list(name: string): Promise<Schemas['PluginsAnswer']> {
    const instance = this.#options.supervisor.instance(name);
    if (instance === undefined) return unknownInstance(name);
    const { rcon } = instance.context;
    if (rcon === null) return refuse('not_supported', 'The agent’s configuration names no RCON for it.');
    if (instance.pid === null) return refuse('not_running', `The instance is ${instance.state}.`);
    const { modding } = rcon;
    if (rcon.isConnected && modding === null)
      return refuse('not_supported', 'The game server runs neither Oxide nor Carbon.');
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
      return refuse('game_unreachable', error.message);
    }
  }

  async listCopies(name: string): Promise<Schemas['PluginCopiesAnswer']> {
    const store = this.#stores.get(name);
    if (store === undefined) return unknownInstance(name);
    return { v: 1, ok: true, copies: await store.copies(Date.now()) };
  }

  #commandsOf(name: string): PluginCommands {
    const { instance, store } = this.#of(name);
    const files = () => this.#filesOf(instance, store);
    const { messages, mayBePrivate, log } = this.#options;
    return new PluginCommands({ instance, store, files, messages, mayBePrivate, log });
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

function unknownInstance(name: string): Refusal {
  return refuse('unknown_instance', `This host has no instance "${name}".`);
}

function refuse(code: Schemas['AnswerError']['code'], detail: string): Refusal {
  return { v: 1, ok: false, error: { code, detail: cutDetail(detail) } };
}
