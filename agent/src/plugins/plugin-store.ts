// Keeps sources of plugins in the agent's state directory: uploads until their command comes, copies of what was removed.
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { open, readFile, readdir, rename, rm, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { replaceDurably } from '../files/durable-file.ts';
import type { Writable } from '../instance-files/content.ts';
import { DiskRoom } from '../instance-files/disk-room.ts';
import { describe } from '../instance-files/entries.ts';
import type { FileEntry } from '../instance-files/entries.ts';
import { FileError } from '../instance-files/file-error.ts';
import type { Destination } from '../instance-files/transfers.ts';
import type { Messages, Schemas } from '../messages.ts';
import { isMissing } from '../system-error.ts';
import { fileOf, mostPluginBytes, refuseUnlessPlugin } from './plugin-source.ts';

export type KeptPlugin = Schemas['KeptPlugin'];

const uploadsMs = 3600_000;
const mostUploads = 16;
const copiesMs = 30 * 24 * 3600_000;
const mostCopies = 20;

/** Names in it: `upload-ID.part`, then `upload-ID.cs`; `copy-ID.cs`, and then `copy-ID.json`, which makes it count. */
export class PluginStore {
  readonly #directory: string;
  readonly #messages: Messages;
  readonly #log: Logger;

  constructor(directory: string, messages: Messages, log: Logger) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.#directory = directory;
    this.#messages = messages;
    this.#log = log;
  }

  /** Where the source of a plugin arrives; it is checked when it is whole. */
  async receive(id: string, plugin: string): Promise<Destination> {
    const waiting = await this.#dropOldUploads();
    if (waiting >= mostUploads)
      throw new FileError('busy', `${mostUploads} plugins wait to be installed already.`);
    const room = new DiskRoom(this.#directory);
    await room.require(0);
    const part = this.#file(`upload-${id}.part`);
    const to = { handle: await open(part, 'wx+', 0o600), room };
    return new ArrivingPlugin(to, part, this.#file(`upload-${id}.cs`), plugin);
  }

  /** Null once it is no longer kept. */
  upload(id: string): Promise<Buffer | null> {
    return readFile(this.#file(`upload-${id.toLowerCase()}.cs`)).catch(nullIfMissing);
  }

  async dropUpload(id: string): Promise<void> {
    await rm(this.#file(`upload-${id.toLowerCase()}.cs`), { force: true });
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

  /** Those that are still kept, newest first; the others are removed. */
  async copies(nowMs: number): Promise<KeptPlugin[]> {
    const found: KeptPlugin[] = [];
    for (const name of await readdir(this.#directory)) {
      const id = /^copy-([0-9a-f-]{36})\.json$/.exec(name)?.[1];
      const kept = id === undefined ? null : await this.#record(id);
      if (kept !== null) found.push(kept);
    }
    found.sort((one, other) => Date.parse(other.kept_at) - Date.parse(one.kept_at));
    const isKept = ({ expires_at }: KeptPlugin, index: number) =>
      index < mostCopies && Date.parse(expires_at) > nowMs;
    for (const { id } of found.filter((copy, index) => !isKept(copy, index))) await this.dropCopy(id);
    return found.filter(isKept);
  }

  /** Null when there is none, or when it is not what was kept. */
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

  /** Removes what an agent before this one was receiving, and copies that were cut off. */
  async recover(): Promise<void> {
    try {
      const names = await readdir(this.#directory);
      const isUnfinished = (name: string) =>
        /\.(part|new)$/.test(name) ||
        (/^copy-.*\.cs$/.test(name) && !names.includes(name.replace(/\.cs$/, '.json')));
      for (const name of names.filter(isUnfinished)) await rm(this.#file(name), { force: true });
      await this.#dropOldUploads();
      await this.copies(Date.now());
    } catch (error) {
      this.#log.warn({ err: error }, 'what is kept of plugins could not be tidied');
    }
  }

  /** How many are left. */
  async #dropOldUploads(): Promise<number> {
    let left = 0;
    for (const name of await readdir(this.#directory)) {
      if (!name.startsWith('upload-')) continue;
      const { mtimeMs } = await stat(this.#file(name)).catch(() => ({ mtimeMs: 0 }));
      if (mtimeMs < Date.now() - uploadsMs) await rm(this.#file(name), { force: true });
      else left += 1;
    }
    return left;
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

class ArrivingPlugin implements Destination {
  readonly handle: FileHandle;
  readonly room: DiskRoom;
  readonly #part: string;
  readonly #whole: string;
  readonly #plugin: string;
  #isOver = false;

  constructor({ handle, room }: Writable, part: string, whole: string, plugin: string) {
    this.handle = handle;
    this.room = room;
    this.#part = part;
    this.#whole = whole;
    this.#plugin = plugin;
  }

  async publish(): Promise<FileEntry> {
    const found = await this.handle.stat();
    if (found.size > mostPluginBytes) throw new FileError('too_large', 'A plugin may have at most 4 MiB.');
    refuseUnlessPlugin(await this.handle.readFile(), this.#plugin);
    await this.handle.sync();
    await rename(this.#part, this.#whole);
    this.#isOver = true;
    await this.handle.close();
    return describe(fileOf(this.#plugin), found);
  }

  async discard(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await this.handle.close();
    await rm(this.#part, { force: true });
  }
}

function nullIfMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}
