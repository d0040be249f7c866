// Applies one command about plugin files: either all files are written and loaded, or all are restored.
import type { Logger } from 'pino';
import { asFileError, FileError } from '../instance-files/file-error.ts';
import { hashOf } from '../instance-files/instance-files.ts';
import type { Schemas } from '../messages.ts';
import { consoleCommand } from '../plugins/framework.ts';
import { PluginGame } from '../plugins/plugin-game.ts';
import { gameOf } from '../plugins/reachable-game.ts';
import { RconError } from '../rcon/connection.ts';
import type { Instance } from '../supervisor/instance.ts';
import { failed } from '../supervisor/outcome.ts';
import type { Outcome } from '../supervisor/outcome.ts';
import type { Placing } from './placing.ts';
import type { ApplyRecord, ApplyRecordFile } from './record.ts';
import type { PluginFileStore } from './store.ts';
import { failureInWords, filesInWords, loadedInWords, missingInWords } from './words.ts';
import type { Reading } from './words.ts';

type Arguments = Schemas['ApplyPluginFilesArguments'];

export interface ApplyingOptions {
  instance: Instance;
  placing: Placing;
  store: PluginFileStore;
  recordFile: ApplyRecordFile;
  pathOf: (file: string) => string;
  log: Logger;
}

/** How the former files were restored, as the end of a sentence. */
export interface Back {
  words: string;
  /** Whether every former file that could be restored is back. */
  isWhole: boolean;
}

export class Applying {
  readonly #options: ApplyingOptions;

  constructor(options: ApplyingOptions) {
    this.#options = options;
  }

  async run(id: string, args: Arguments): Promise<Outcome> {
    const { instance, placing, store, recordFile, pathOf } = this.#options;
    const contents = await Promise.all(args.files.map(({ upload }) => store.upload(upload)));
    const isWhole = args.files.every(({ sha256 }, index) => {
      const content = contents[index];
      return content !== null && content !== undefined && hashOf(content) === sha256;
    });
    if (!isWhole) return failed('files_refused', 'What was uploaded is no longer kept.');
    const game = gameOf(instance);
    if (game !== null && !(game instanceof PluginGame)) return game;
    const files = args.files.map(({ file, sha256, present }) => ({ path: pathOf(file), sha256, present }));
    if (!(await placing.areUnchanged(files))) return changed();
    await this.#keepFormer(id, files);
    const record: ApplyRecord = { id, phase: 'writing', files, plugins: args.plugins, unloaded: [] };
    await recordFile.write(record);
    const refusal =
      args.is_unloaded_first && game !== null ? await this.#unload(game, record, args.by) : null;
    const outcome =
      refusal === null
        ? await this.#replace(game, record, { by: args.by, contents: contents as Buffer[] })
        : await this.over(record, refusal);
    for (const { upload } of args.files) await store.dropUpload(upload);
    return outcome;
  }

  /** Records the result. If that cannot be written, the next agent checks the files and reaches the same result. */
  async over(record: ApplyRecord, outcome: Outcome): Promise<Outcome> {
    const { recordFile, log } = this.#options;
    await recordFile.write({ ...record, phase: 'over', outcome }).catch((error: unknown) => {
      log.error({ command_id: record.id, err: error }, 'the end of a command about files can not be written');
    });
    return outcome;
  }

  /** Loads the plugins that this command unloaded, and reloads the loaded ones with the files that are there now. */
  async reload(game: PluginGame, record: ApplyRecord, by: string): Promise<Reading[]> {
    const readings: Reading[] = [];
    try {
      await this.#reloadEach(game, record, { by, readings });
    } catch (error) {
      readings.push({ plugin: null, outcome: outcomeOf(error) });
    }
    return readings;
  }

  async #reloadEach(
    game: PluginGame,
    { plugins, unloaded }: ApplyRecord,
    { by, readings }: { by: string; readings: Reading[] },
  ): Promise<void> {
    for (const plugin of plugins) {
      const state = (await game.find(plugin))?.state;
      // A plugin that the command did not unload stays unloaded. A failed plugin is loaded again, because the files may
      // fix it.
      if (state === undefined || (state === 'unloaded' && !unloaded.includes(plugin))) continue;
      const what = state === 'loaded' ? 'reload' : 'load';
      const outcome = await game.settle({ plugin, state: 'loaded', isAnew: true }, () =>
        this.#tell(game, what, plugin, by),
      );
      readings.push({ plugin, outcome });
      if (!outcome.isSuccess) return;
    }
  }

  /** Makes the plugins read the written files. Restores the former files when a plugin cannot load with them. */
  async load(game: PluginGame, record: ApplyRecord, by: string): Promise<Outcome> {
    const readings = await this.reload(game, record, by);
    const broken = readings.find(({ outcome }) => !outcome.isSuccess);
    if (broken === undefined || broken.outcome.isSuccess) {
      const isLoaded = readings.length === record.plugins.length;
      return this.over(record, { isSuccess: true, detail: await this.#wordsOf(record, readings), isLoaded });
    }
    const failure = failureInWords(record, broken.plugin, broken.outcome);
    const back: ApplyRecord = { ...record, phase: 'taking_back', outcome: failure };
    // If this cannot be written, the next agent tries the load again and finds the same failure.
    await this.#options.recordFile.write(back).catch(() => undefined);
    return this.loadFormer(game, back, await this.takeBack(back), by);
  }

  /** Makes the plugins read their former files; `back` says how those were restored. */
  async loadFormer(
    game: PluginGame,
    record: ApplyRecord,
    { words, isWhole }: Back,
    by: string,
  ): Promise<Outcome> {
    const { outcome: failure } = record;
    const again = await this.reload(game, record, by);
    const code = failure?.isSuccess === false ? failure.errorCode : 'plugin_failed';
    const outcome = failed(code, `${failure?.detail ?? ''} Now ${words}, and ${loadedInWords(again)}.`);
    return isWhole ? this.over(record, outcome) : outcome;
  }

  /** Restores the former files. */
  async takeBack(record: ApplyRecord): Promise<Back> {
    const { placing, store } = this.#options;
    const former = (number: number) => store.former(record.id, number);
    const { left, stuck } = await placing.takeBack(record.files, former, record.phase === 'taking_back');
    const words = [
      ...(left.length === 0 ? [] : [`${left.join(', ')} had changed and was left`]),
      ...(stuck.length === 0 ? [] : [`not all of the former files are back (${stuck.join(', ')})`]),
    ].join(', and ');
    return { isWhole: stuck.length === 0, words: words || 'the former files are back' };
  }

  async #keepFormer(id: string, files: ApplyRecord['files']): Promise<void> {
    const { placing, store } = this.#options;
    await store.dropFormerBut(id);
    for (const [number, { path, present }] of files.entries()) {
      const content = await placing.read(path);
      if ((content === null ? null : hashOf(content)) !== present)
        throw new FileError('changed', `${path} has changed meanwhile.`);
      if (content !== null) await store.keepFormer(id, number, content);
    }
  }

  /** Returns null once all plugins are unloaded and the files are unchanged. */
  async #unload(game: PluginGame, record: ApplyRecord, by: string): Promise<Outcome | null> {
    const refusal = await this.#unloadEach(game, record, by).catch(outcomeOf);
    if (refusal !== null) await this.#loadAgain(game, record, by);
    return refusal;
  }

  async #unloadEach(game: PluginGame, record: ApplyRecord, by: string): Promise<Outcome | null> {
    for (const plugin of record.plugins) {
      if ((await game.find(plugin))?.state !== 'loaded') continue;
      record.unloaded.push(plugin);
      await this.#options.recordFile.write(record);
      const outcome = await game.settle({ plugin, state: 'unloaded' }, () =>
        this.#tell(game, 'unload', plugin, by),
      );
      if (!outcome.isSuccess) return outcome;
    }
    return (await this.#options.placing.areUnchanged(record.files)) ? null : changed();
  }

  async #loadAgain(game: PluginGame, record: ApplyRecord, by: string): Promise<void> {
    if (record.unloaded.length > 0) await this.reload(game, { ...record, plugins: record.unloaded }, by);
  }

  async #replace(
    game: PluginGame | null,
    record: ApplyRecord,
    { by, contents }: { by: string; contents: Buffer[] },
  ): Promise<Outcome> {
    const { instance, placing, recordFile } = this.#options;
    const loading: ApplyRecord = { ...record, phase: 'loading' };
    try {
      for (const [number, file] of record.files.entries())
        await placing.put(file, contents[number] as Buffer);
      await recordFile.write(loading);
    } catch (error) {
      return this.#giveUp(game, record, { outcome: outcomeOf(error), by });
    }
    if (record.files.length > 0)
      instance.context.console.remark(`Files of ${record.plugins.join(', ')} were written for ${by}.`);
    return game === null ? this.over(loading, this.unread(record)) : this.load(game, loading, by);
  }

  /** The outcome for files that no plugin could be notified of. */
  unread(record: ApplyRecord): Outcome {
    const next =
      this.#options.instance.pid === null
        ? 'The next start reads them.'
        : 'Nobody has told the plugin: there is no RCON.';
    return { isSuccess: true, detail: `${filesInWords(record)} ${next}`, isLoaded: false };
  }

  /** Restores the former files after an incomplete write. */
  async #giveUp(
    game: PluginGame | null,
    record: ApplyRecord,
    { outcome, by }: { outcome: Outcome; by: string },
  ): Promise<Outcome> {
    const { isWhole, words } = await this.takeBack(record);
    if (game !== null) await this.#loadAgain(game, record, by);
    if (isWhole) return this.over(record, outcome);
    return { ...outcome, detail: `${outcome.detail} Now ${words}.` };
  }

  async #wordsOf(record: ApplyRecord, readings: Reading[]): Promise<string> {
    const anew: string[] = [];
    for (const { path, sha256 } of record.files)
      if ((await this.#options.placing.hash(path)) !== sha256) anew.push(path);
    return [
      filesInWords(record),
      ...readings.map(({ outcome }) => outcome.detail),
      ...missingInWords(
        record.plugins.filter((plugin) => !readings.some((reading) => reading.plugin === plugin)),
      ),
      ...(anew.length === 0 ? [] : [`${anew.join(', ')} was written anew by the plugin.`]),
    ].join(' ');
  }

  async #tell(game: PluginGame, what: string, plugin: string, by: string): Promise<void> {
    this.#options.instance.context.console.echo(by, consoleCommand(game.framework, what, plugin));
    await game.tell(what, plugin);
  }
}

const changed = () => failed('files_changed', 'The files are not what they were when they were read.');

/** Maps the error to an outcome of the contract. */
export function outcomeOf(error: unknown): Outcome {
  if (error instanceof RconError) return failed('game_unreachable', error.message);
  const { code, message } = asFileError(error);
  if (code === 'changed') return failed('files_changed', message);
  if (code === 'not_supported') return failed('not_supported', message);
  return failed(code === 'disk_full' ? 'disk_full' : 'files_refused', message);
}
