// Runs the commands about the plugins of one instance and returns their outcomes.
import type { Logger } from 'pino';
import { typeLine } from '../commands/console-line.ts';
import { hashOf } from '../instance-files/instance-files.ts';
import type { Schemas } from '../messages.ts';
import type { Instance } from '../supervisor/instance.ts';
import { failed, succeeded } from '../supervisor/outcome.ts';
import type { Outcome } from '../supervisor/outcome.ts';
import { consoleCommand, reloadTemplateOf } from './framework.ts';
import { fetchModule, type AllowsPrivate } from './module-source.ts';
import type { PluginFiles } from './installed-files.ts';
import { PluginGame, gameOf } from './plugin-game.ts';
import { fileOf, refuseUnlessPlugin } from './plugin-source.ts';
import type { PluginStore } from './plugin-store.ts';

/** How long a server may take to detect a new file by itself before the agent sends a load command: 3 s. */
const unnoticedMs = 3_000;

export interface PluginCommandOptions {
  instance: Instance;
  store: PluginStore;
  /** Throws when the instance has no plugin folder. */
  files: () => PluginFiles;
  allowsPrivate: AllowsPrivate;
  log: Logger;
}

export class PluginCommands {
  readonly #options: PluginCommandOptions;

  constructor(options: PluginCommandOptions) {
    this.#options = options;
  }

  async load({ plugin, by }: Schemas['PluginArguments']): Promise<Outcome> {
    const game = this.#game();
    if (!(game instanceof PluginGame)) return game;
    const found = await game.find(plugin);
    if (found?.state === 'loaded') return succeeded(`${plugin} is loaded already.`);
    if (found === undefined && (await this.#options.files().read(plugin)) === null) return unknown(plugin);
    return game.settle({ plugin, state: 'loaded' }, () => this.#send(game, 'load', plugin, by));
  }

  async unload({ plugin, by }: Schemas['PluginArguments']): Promise<Outcome> {
    const game = this.#game();
    if (!(game instanceof PluginGame)) return game;
    const found = await game.find(plugin);
    if (found === undefined) return unknown(plugin);
    if (found.state !== 'loaded') return succeeded(`${plugin} is not loaded.`);
    return game.settle({ plugin, state: 'unloaded' }, () => this.#send(game, 'unload', plugin, by));
  }

  /** Without RCON, the command is typed on the console. */
  async reload({ plugin, by }: Schemas['ReloadPluginArguments']): Promise<Outcome> {
    const { instance } = this.#options;
    if (instance.context.rcon === null) {
      const template = reloadTemplateOf(instance);
      if (template === null)
        return failed(
          'not_supported',
          'The agent knows no console command by which this server reloads plugins.',
        );
      return typeLine(instance, { line: template.replace('{plugin}', plugin), by });
    }
    const game = this.#game();
    if (!(game instanceof PluginGame)) return game;
    if ((await game.find(plugin)) === undefined) return unknown(plugin);
    return game.settle({ plugin, state: 'loaded', isReload: true }, () =>
      this.#send(game, 'reload', plugin, by),
    );
  }

  /** Keeps a copy, then unloads the plugin from a running server, and only then removes the file. */
  async uninstall(id: string, { plugin, by }: Schemas['PluginArguments']): Promise<Outcome> {
    const { instance } = this.#options;
    const files = this.#options.files();
    const source = await files.read(plugin);
    if (source === null) return unknown(plugin);
    const game = gameOf(instance);
    if (game !== null && !(game instanceof PluginGame)) return game;
    await files.keep(plugin, source, id);
    if (game !== null) {
      const isLoaded = (await game.find(plugin))?.state === 'loaded';
      const unloaded = isLoaded
        ? await game.settle({ plugin, state: 'unloaded' }, () => this.#send(game, 'unload', plugin, by))
        : null;
      if (unloaded?.isSuccess === false) {
        await this.#options.store.dropCopy(id);
        return unloaded;
      }
    }
    await files.remove(plugin, source, id);
    instance.context.console.remark(`The plugin ${plugin} was removed for ${by}.`);
    return succeeded(`${plugin} is removed; the copy ${id} of it is kept for 30 days.`);
  }

  async install(
    id: string,
    { plugin, upload, sha256, overwrite, by }: Schemas['InstallPluginArguments'],
  ): Promise<Outcome> {
    const { store } = this.#options;
    const source = await store.upload(upload);
    if (source === null) return failed('plugin_not_found', 'The upload has expired; upload the file again.');
    if (hashOf(source) !== sha256)
      return failed(
        'files_refused',
        'The uploaded file does not match the file to install; upload it again.',
      );
    const outcome = await this.#place({ id, plugin, source, isReplacing: overwrite, by });
    if (await this.#options.files().has(plugin, sha256)) await store.dropUpload(upload);
    return outcome;
  }

  /** Replaces a plugin with the same name, and keeps a copy of it. */
  async installModule(
    id: string,
    { plugin, by, ...source }: Schemas['InstallModuleArguments'],
  ): Promise<Outcome> {
    const fetched = await fetchModule(source, this.#options.allowsPrivate, this.#options.log);
    refuseUnlessPlugin(fetched, plugin);
    return this.#place({ id, plugin, source: fetched, isReplacing: true, by });
  }

  async restore(id: string, { copy, by }: Schemas['RestorePluginArguments']): Promise<Outcome> {
    const { store } = this.#options;
    const kept = await store.copy(copy);
    if (kept === null) return failed('plugin_not_found', 'The copy no longer exists.');
    const { plugin, source } = kept;
    // The copy is kept until it expires, even after a failure.
    return this.#place({ id, plugin, source, isReplacing: false, by });
  }

  async #place({
    id,
    plugin,
    source,
    isReplacing,
    by,
  }: {
    id: string;
    plugin: string;
    source: Buffer;
    isReplacing: boolean;
    by: string;
  }): Promise<Outcome> {
    const { instance } = this.#options;
    const game = gameOf(instance);
    if (game !== null && !(game instanceof PluginGame)) return game;
    const files = this.#options.files();
    const put = async () => {
      await files.place(plugin, source, isReplacing, id);
      instance.context.console.remark(`The plugin ${plugin} was put in its place for ${by}.`);
    };
    if (game === null) {
      await put();
      const isUp = instance.pid !== null;
      const when = isUp ? 'Whether the server has loaded it is in its console.' : 'The next start loads it.';
      return succeeded(`${fileOf(plugin)} is in its place. ${when}`);
    }
    return game.settle({ plugin, state: 'loaded', isReload: true }, put, {
      afterMs: unnoticedMs,
      what: () => this.#send(game, isReplacing ? 'reload' : 'load', plugin, by),
    });
  }

  async #send(game: PluginGame, what: string, plugin: string, by: string): Promise<void> {
    this.#options.instance.context.console.echo(by, consoleCommand(game.framework, what, plugin));
    await game.send(what, plugin);
  }

  /** Returns the running server, or why it cannot be reached. */
  #game(): PluginGame | Outcome {
    const { instance } = this.#options;
    if (instance.context.rcon === null)
      return failed('not_supported', 'The agent’s configuration names no RCON for this instance.');
    return gameOf(instance) ?? failed('not_running', `The instance is ${instance.state}.`);
  }
}

const unknown = (plugin: string) =>
  failed('plugin_not_found', `There is no plugin ${plugin} in the folder of the plugins.`);
