// Stores plugin sources in the state directory: uploads until their command arrives, copies of removed plugins.
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { replaceDurably } from '../state-files/durable-file.ts';
import { FileError } from '../instance-files/file-error.ts';
import type { Destination } from '../instance-files/transfers.ts';
import { nullIfMissing, PendingUploads } from '../instance-files/pending-uploads.ts';
import type { Messages, Schemas } from '../messages.ts';
import { fileOf, maxPluginBytes, refuseUnlessPlugin } from './plugin-source.ts';

export type KeptPlugin = Schemas['KeptPlugin'];

export const maxUploads = 16;
const copiesMs = 30 * 24 * 3600_000;
const maxCopies = 20;

/** File names: `upload-ID.part`, then `upload-ID.cs`; `copy-ID.cs`, then `copy-ID.json`, which completes the copy. */
export class PluginStore {
  readonly #directory: string;
  readonly #uploads: PendingUploads;
  readonly #messages: Messages;
  readonly #log: Logger;

  constructor(directory: string, messages: Messages, log: Logger) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.#directory = directory;
    this.#uploads = new PendingUploads({
      directory,
      extension: '.cs',
      maxCount: maxUploads,
      tooMany: `${maxUploads} plugins wait to be installed already.`,
    });
    this.#messages = messages;
    this.#log = log;
  }

  /** Receives the source of a plugin, and validates it once it is complete. */
  receive(id: string, plugin: string): Promise<Destination> {
    return this.#uploads.receive(id, fileOf(plugin), async (handle, size) => {
      if (size > maxPluginBytes) throw new FileError('too_large', 'A plugin may have at most 4 MiB.');
      refuseUnlessPlugin(await handle.readFile(), plugin);
    });
  }

  /** Returns null once it is no longer kept. */
  upload(id: string): Promise<Buffer | null> {
    return this.#uploads.read(id);
  }

  dropUpload(id: string): Promise<void> {
    return this.#uploads.drop(id);
  }

  async keep(id: string, plugin: string, source: Buffer, nowMs: number): Promise<void> {
    const kept: KeptPlugin = {
      id,
      plugin,
      size: source.byteLength,
      sha256: createHash('sha256').update(source).digest('hex'),
      kept_at: new Date(nowMs).toISOString(),
      expires_at: new Date(nowMs + copiesMs).toISOString(),
    };
    await replaceDurably(this.#file(`copy-${id}.cs`), source);
    await replaceDurably(this.#file(`copy-${id}.json`), JSON.stringify(kept));
    await this.copies(nowMs);
  }

  /** Returns the unexpired copies, newest first, and removes the others. */
  async copies(nowMs: number): Promise<KeptPlugin[]> {
    const found: KeptPlugin[] = [];
    for (const name of await readdir(this.#directory)) {
      const id = /^copy-([0-9a-f-]{36})\.json$/.exec(name)?.[1];
      const kept = id === undefined ? null : await this.#record(id);
      if (kept !== null) found.push(kept);
    }
    found.sort((one, other) => Date.parse(other.kept_at) - Date.parse(one.kept_at));
    const isKept = ({ expires_at }: KeptPlugin, index: number) =>
      index < maxCopies && Date.parse(expires_at) > nowMs;
    for (const { id } of found.filter((copy, index) => !isKept(copy, index))) await this.dropCopy(id);
    return found.filter(isKept);
  }

  /** Returns null when there is no such copy, or when it has expired. */
  async copy(id: string): Promise<{ plugin: string; source: Buffer } | null> {
    const kept = await this.#record(id.toLowerCase());
    if (kept === null || Date.parse(kept.expires_at) <= Date.now()) return null;
    const source = await readFile(this.#file(`copy-${kept.id}.cs`)).catch(nullIfMissing);
    return source === null ? null : { plugin: kept.plugin, source };
  }

  async dropCopy(id: string): Promise<void> {
    await rm(this.#file(`copy-${id}.json`), { force: true });
    await rm(this.#file(`copy-${id}.cs`), { force: true });
  }

  /** Removes the unfinished uploads and incomplete copies of an earlier agent. */
  async recover(): Promise<void> {
    try {
      const names = await readdir(this.#directory);
      const isUnfinished = (name: string) =>
        /\.(part|new)$/.test(name) ||
        (/^copy-.*\.cs$/.test(name) && !names.includes(name.replace(/\.cs$/, '.json')));
      for (const name of names.filter(isUnfinished)) await rm(this.#file(name), { force: true });
      await this.#uploads.dropOld();
      await this.copies(Date.now());
    } catch (error) {
      this.#log.warn({ err: error }, 'the stored plugins could not be cleaned up');
    }
  }

  async #record(id: string): Promise<KeptPlugin | null> {
    const text = await readFile(this.#file(`copy-${id}.json`), 'utf8').catch(nullIfMissing);
    if (text === null) return null;
    const parsed = this.#messages.parse('KeptPlugin', text);
    return parsed.isValid && parsed.value.id === id ? parsed.value : null;
  }

  #file(name: string): string {
    return join(this.#directory, name);
  }
}
