// Applies one command about plugin files: either all files are written and loaded, or all are restored.
import type { Logger } from 'pino';
import { fileFailure, FileError } from '../instance-files/file-error.ts';
import { hashOf } from '../instance-files/instance-files.ts';
import type { Schemas } from '../messages.ts';
import { consoleCommand } from '../plugins/framework.ts';
import { PluginGame, gameOf } from '../plugins/plugin-game.ts';
import { RconError } from '../rcon/connection.ts';
import type { Instance } from '../supervisor/instance.ts';
import { failed } from '../supervisor/outcome.ts';
import type { Outcome } from '../supervisor/outcome.ts';
import type { GuardedFiles } from './guarded-files.ts';
import type { ApplicationRecord, ApplicationRecordFile } from './application-record.ts';
import type { PluginFileStore } from './plugin-file-store.ts';
import { withPlugin, writtenFilesText, reloadText, unloadedPluginsText } from './outcome-text.ts';
import type { LoadResult } from './outcome-text.ts';

type Arguments = Schemas['ApplyPluginFilesArguments'];

export interface FileApplicationOptions {
  instance: Instance;
  guarded: GuardedFiles;
  store: PluginFileStore;
  recordFile: ApplicationRecordFile;
  pathOf: (file: string) => string;
  log: Logger;
}

/** How the former files were restored, as the end of a sentence. */
export interface Rollback {
  text: string;
  /** Whether every former file that could be restored is back. */
  isComplete: boolean;
}

export class FileApplication {
  readonly #options: FileApplicationOptions;

  constructor(options: FileApplicationOptions) {
    this.#options = options;
  }

  async run(id: string, args: Arguments): Promise<Outcome> {
    const { instance, guarded, store, recordFile, pathOf } = this.#options;
    const contents = await Promise.all(args.files.map(({ upload }) => store.upload(upload)));
    const areUploadsIntact = args.files.every(({ sha256 }, index) => {
      const content = contents[index];
      return content !== null && content !== undefined && hashOf(content) === sha256;
    });
    if (!areUploadsIntact)
      return failed('files_refused', 'The uploaded files are no longer available; upload them again.');
    const game = gameOf(instance);
    if (game !== null && !(game instanceof PluginGame)) return game;
    const files = args.files.map(({ file, sha256, present }) => ({ path: pathOf(file), sha256, present }));
    if (!(await guarded.areUnchanged(files))) return changed();
    await this.#keepFormer(id, files);
    const record: ApplicationRecord = { id, phase: 'writing', files, plugins: args.plugins, unloaded: [] };
    await recordFile.write(record);
    const refusal =
      args.is_unloaded_first && game !== null ? await this.#unload(game, record, args.by) : null;
    const outcome =
      refusal === null
        ? await this.#replace(game, record, { by: args.by, contents: contents as Buffer[] })
        : await this.finish(record, refusal);
    for (const { upload } of args.files) await store.dropUpload(upload);
    return outcome;
  }

  /** Records the result. If that cannot be written, the next agent checks the files and reaches the same result. */
  async finish(record: ApplicationRecord, outcome: Outcome): Promise<Outcome> {
    const { recordFile, log } = this.#options;
    await recordFile.write({ ...record, phase: 'over', outcome }).catch((error: unknown) => {
      log.error(
        { command_id: record.id, err: error },
        'the result of a plugin-file command cannot be recorded',
      );
    });
    return outcome;
  }

  /** Loads the plugins that this command unloaded, and reloads the loaded ones with the files that are there now. */
  async reload(game: PluginGame, record: ApplicationRecord, by: string): Promise<LoadResult[]> {
    const results: LoadResult[] = [];
    try {
      await this.#reloadEach(game, record, { by, results });
    } catch (error) {
      results.push({ plugin: null, outcome: applicationFailure(error) });
    }
    return results;
  }

  async #reloadEach(
    game: PluginGame,
    { plugins, unloaded }: ApplicationRecord,
    { by, results }: { by: string; results: LoadResult[] },
  ): Promise<void> {
    for (const plugin of plugins) {
      const state = (await game.find(plugin))?.state;
      // A plugin that the command did not unload stays unloaded. A failed plugin is loaded again, because the files may
      // fix it.
      if (state === undefined || (state === 'unloaded' && !unloaded.includes(plugin))) continue;
      const what = state === 'loaded' ? 'reload' : 'load';
      const outcome = await game.settle({ plugin, state: 'loaded', isReload: true }, () =>
        this.#send(game, what, plugin, by),
      );
      results.push({ plugin, outcome });
      if (!outcome.isSuccess) return;
    }
  }

  /** Makes the plugins read the written files. Restores the former files when a plugin cannot load with them. */
  async load(game: PluginGame, record: ApplicationRecord, by: string): Promise<Outcome> {
    const results = await this.reload(game, record, by);
    const broken = results.find(({ outcome }) => !outcome.isSuccess);
    if (broken === undefined || broken.outcome.isSuccess) {
      const isLoaded = results.length === record.plugins.length;
      return this.finish(record, {
        isSuccess: true,
        detail: await this.#detailOf(record, results),
        isLoaded,
      });
    }
    const failure = withPlugin(record, broken.plugin, broken.outcome);
    const back: ApplicationRecord = { ...record, phase: 'taking_back', outcome: failure };
    // If this cannot be written, the next agent tries the load again and finds the same failure.
    await this.#options.recordFile.write(back).catch(() => undefined);
    return this.loadFormer(game, back, await this.rollBack(back), by);
  }

  /** Makes the plugins read their former files; `back` says how those were restored. */
  async loadFormer(
    game: PluginGame,
    record: ApplicationRecord,
    { text, isComplete }: Rollback,
    by: string,
  ): Promise<Outcome> {
    const { outcome: failure } = record;
    const again = await this.reload(game, record, by);
    const code = failure?.isSuccess === false ? failure.errorCode : 'plugin_failed';
    const outcome = failed(code, `${failure?.detail ?? ''} Now ${text}, and ${reloadText(again)}.`);
    return isComplete ? this.finish(record, outcome) : outcome;
  }

  /** Restores the former files. */
  async rollBack(record: ApplicationRecord): Promise<Rollback> {
    const { guarded, store } = this.#options;
    const former = (number: number) => store.former(record.id, number);
    const { left, stuck } = await guarded.rollBack(record.files, former, record.phase === 'taking_back');
    const text = [
      ...(left.length === 0 ? [] : [`${left.join(', ')} had changed and was left`]),
      ...(stuck.length === 0 ? [] : [`not all of the former files are back (${stuck.join(', ')})`]),
    ].join(', and ');
    return { isComplete: stuck.length === 0, text: text || 'the former files are back' };
  }

  async #keepFormer(id: string, files: ApplicationRecord['files']): Promise<void> {
    const { guarded, store } = this.#options;
    await store.dropFormerBut(id);
    for (const [number, { path, present }] of files.entries()) {
      const content = await guarded.read(path);
      if ((content === null ? null : hashOf(content)) !== present)
        throw new FileError('changed', `${path} has changed meanwhile.`);
      if (content !== null) await store.keepFormer(id, number, content);
    }
  }

  /** Returns null once all plugins are unloaded and the files are unchanged. */
  async #unload(game: PluginGame, record: ApplicationRecord, by: string): Promise<Outcome | null> {
    const refusal = await this.#unloadEach(game, record, by).catch(applicationFailure);
    if (refusal !== null) await this.#loadAgain(game, record, by);
    return refusal;
  }

  async #unloadEach(game: PluginGame, record: ApplicationRecord, by: string): Promise<Outcome | null> {
    for (const plugin of record.plugins) {
      if ((await game.find(plugin))?.state !== 'loaded') continue;
      record.unloaded.push(plugin);
      await this.#options.recordFile.write(record);
      const outcome = await game.settle({ plugin, state: 'unloaded' }, () =>
        this.#send(game, 'unload', plugin, by),
      );
      if (!outcome.isSuccess) return outcome;
    }
    return (await this.#options.guarded.areUnchanged(record.files)) ? null : changed();
  }

  async #loadAgain(game: PluginGame, record: ApplicationRecord, by: string): Promise<void> {
    if (record.unloaded.length > 0) await this.reload(game, { ...record, plugins: record.unloaded }, by);
  }

  async #replace(
    game: PluginGame | null,
    record: ApplicationRecord,
    { by, contents }: { by: string; contents: Buffer[] },
  ): Promise<Outcome> {
    const { instance, guarded, recordFile } = this.#options;
    const loading: ApplicationRecord = { ...record, phase: 'loading' };
    try {
      for (const [number, file] of record.files.entries())
        await guarded.put(file, contents[number] as Buffer);
      await recordFile.write(loading);
    } catch (error) {
      return this.#rollBackWrite(game, record, { outcome: applicationFailure(error), by });
    }
    if (record.files.length > 0)
      instance.context.console.remark(`Files of ${record.plugins.join(', ')} were written for ${by}.`);
    return game === null ? this.finish(loading, this.pendingLoad(record)) : this.load(game, loading, by);
  }

  /** The outcome for files that no plugin could be notified of. */
  pendingLoad(record: ApplicationRecord): Outcome {
    const next =
      this.#options.instance.pid === null
        ? 'The next start reads them.'
        : 'The plugin was not reloaded, because there is no RCON.';
    return { isSuccess: true, detail: `${writtenFilesText(record)} ${next}`, isLoaded: false };
  }

  /** Restores the former files after an incomplete write. */
  async #rollBackWrite(
    game: PluginGame | null,
    record: ApplicationRecord,
    { outcome, by }: { outcome: Outcome; by: string },
  ): Promise<Outcome> {
    const { isComplete, text } = await this.rollBack(record);
    if (game !== null) await this.#loadAgain(game, record, by);
    if (isComplete) return this.finish(record, outcome);
    return { ...outcome, detail: `${outcome.detail} Now ${text}.` };
  }

  async #detailOf(record: ApplicationRecord, results: LoadResult[]): Promise<string> {
    const rewritten: string[] = [];
    for (const { path, sha256 } of record.files)
      if ((await this.#options.guarded.hash(path)) !== sha256) rewritten.push(path);
    return [
      writtenFilesText(record),
      ...results.map(({ outcome }) => outcome.detail),
      ...unloadedPluginsText(
        record.plugins.filter((plugin) => !results.some((result) => result.plugin === plugin)),
      ),
      ...(rewritten.length === 0 ? [] : [`${rewritten.join(', ')} was rewritten by the plugin.`]),
    ].join(' ');
  }

  async #send(game: PluginGame, what: string, plugin: string, by: string): Promise<void> {
    this.#options.instance.context.console.echo(by, consoleCommand(game.framework, what, plugin));
    await game.send(what, plugin);
  }
}

const changed = () => failed('files_changed', 'The files have changed since they were read.');

/** Maps the error to an outcome of the contract. */
export function applicationFailure(error: unknown): Outcome {
  return error instanceof RconError
    ? failed('game_unreachable', error.message)
    : fileFailure(error, 'plugin_files');
}
