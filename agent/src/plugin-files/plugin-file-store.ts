// Stores plugin-file contents in the state directory: uploads until their command arrives, and former files.
import { mkdirSync } from 'node:fs';
import { readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { replaceDurably } from '../state-files/durable-file.ts';
import type { Destination } from '../instance-files/transfers.ts';
import { PendingUploads } from '../instance-files/pending-uploads.ts';

/** Maximum size of one plugin file. */
export const maxPluginFileBytes = 16 * 1024 * 1024;

const maxUploads = 200;

/** File names: `upload-ID.part` while uploading, then `upload-ID`; `former-ID-N`; and `record.json`. */
export class PluginFileStore {
  readonly #directory: string;
  readonly #uploads: PendingUploads;
  readonly #log: Logger;

  constructor(directory: string, log: Logger) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.#directory = directory;
    this.#uploads = new PendingUploads({
      directory,
      extension: '',
      maxCount: maxUploads,
      tooMany: `${maxUploads} plugin files are waiting to be applied already.`,
    });
    this.#log = log;
  }

  get recordFile(): string {
    return this.#file('record.json');
  }

  receive(id: string): Promise<Destination> {
    return this.#uploads.receive(id, 'upload');
  }

  /** Returns null once it is no longer kept. */
  upload(id: string): Promise<Buffer | null> {
    return this.#uploads.read(id);
  }

  dropUpload(id: string): Promise<void> {
    return this.#uploads.drop(id);
  }

  keepFormer(id: string, number: number, content: Buffer): Promise<void> {
    return replaceDurably(this.#file(`former-${id.toLowerCase()}-${number}`), content);
  }

  former(id: string, number: number): Promise<Buffer> {
    return readFile(this.#file(`former-${id.toLowerCase()}-${number}`));
  }

  /** Removes the former files of every other command. */
  async dropFormerBut(id: string): Promise<void> {
    for (const name of await readdir(this.#directory))
      if (name.startsWith('former-') && !name.startsWith(`former-${id.toLowerCase()}-`))
        await rm(this.#file(name), { force: true });
  }

  /** Removes the unfinished uploads of an earlier agent. */
  async recover(): Promise<void> {
    try {
      for (const name of await readdir(this.#directory))
        if (/\.(part|new)$/.test(name)) await rm(this.#file(name), { force: true });
      await this.#uploads.dropOld();
    } catch (error) {
      this.#log.warn({ err: error }, 'the stored plugin files could not be cleaned up');
    }
  }

  #file(name: string): string {
    return join(this.#directory, name);
  }
}
