// The plugin files of one instance: written atomically, and never removed without a copy.
import { readUpTo, writeWhole } from '../instance-files/content.ts';
import { within } from '../instance-files/entries.ts';
import { FileError } from '../instance-files/file-error.ts';
import { stepsOf } from '../instance-files/file-path.ts';
import type { InstanceFiles } from '../instance-files/instance-files.ts';
import { hashOf } from '../instance-files/instance-files.ts';
import { isMissing } from '../errors.ts';
import { fileOf, maxPluginBytes } from './plugin-source.ts';
import type { PluginStore } from './plugin-store.ts';

export class PluginFiles {
  readonly #files: InstanceFiles;
  readonly #store: PluginStore;
  readonly #folder: string;

  constructor(files: InstanceFiles, store: PluginStore, folder: string) {
    this.#files = files;
    this.#store = store;
    this.#folder = folder;
  }

  /** Throws for a name that is not a valid file name. */
  pathOf(plugin: string): string {
    const path = `${this.#folder}/${fileOf(plugin)}`;
    stepsOf(path);
    return path;
  }

  /** Returns null when the plugin has no file directly in the folder. */
  async read(plugin: string): Promise<Buffer | null> {
    const file = await this.#files.open(this.pathOf(plugin)).catch(nullIfMissing);
    if (file === null) return null;
    try {
      const source = await readUpTo(file, maxPluginBytes);
      if (source === null) throw new FileError('too_large', 'The file of the plugin has more than 4 MiB.');
      return source;
    } finally {
      await file.close();
    }
  }

  async has(plugin: string, sha256: string): Promise<boolean> {
    const source = await this.read(plugin);
    return source !== null && hashOf(source) === sha256;
  }

  /** Refuses a name that differs only in case: the server would load both, and Windows has only one file. */
  async refuseTwin(plugin: string): Promise<void> {
    const file = fileOf(plugin);
    const twin = await within(this.#files.openRoot, stepsOf(this.#folder), async (folder) => {
      for await (const name of folder.names())
        if (name !== file && name.toLowerCase() === file.toLowerCase()) return name;
      return null;
    }).catch(nullIfMissing);
    if (twin !== null)
      throw new FileError(
        'exists',
        `There is ${twin} already, whose name differs from ${file} in case only.`,
      );
  }

  /** Keeps a replaced plugin as a copy with this id. */
  async place(plugin: string, source: Buffer, isReplacing: boolean, copyId: string): Promise<void> {
    await this.#files.makeDirectory(this.#folder);
    const staged = await this.#files.stage(this.pathOf(plugin), isReplacing);
    try {
      await writeWhole(staged, source, 0);
      await this.#files.exclusively(async () => {
        await this.refuseTwin(plugin);
        const present = isReplacing ? await this.read(plugin) : null;
        if (present !== null) {
          await this.keep(plugin, present, copyId);
          await this.#refuseUnlessCopied(plugin, present, copyId);
        }
        await staged.publish(isReplacing);
      });
    } finally {
      await staged.discard();
    }
  }

  async keep(plugin: string, source: Buffer, copyId: string): Promise<void> {
    await this.#store.keep(copyId, plugin, source, Date.now());
  }

  /** Removes the file only while it still equals the copy with this id. */
  async remove(plugin: string, kept: Buffer, copyId: string): Promise<void> {
    await this.#files.delete(this.pathOf(plugin), false, () =>
      this.#refuseUnlessCopied(plugin, kept, copyId),
    );
  }

  /** The game and the host's operator write to this folder too. */
  async #refuseUnlessCopied(plugin: string, kept: Buffer, copyId: string): Promise<void> {
    if ((await this.read(plugin))?.equals(kept) === true) return;
    await this.#store.dropCopy(copyId);
    throw new FileError('changed', `The file of ${plugin} has changed meanwhile and was not modified.`);
  }
}

function nullIfMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}
