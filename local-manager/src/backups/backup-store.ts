// The backups on the host: each a dump, and a file beside it that describes it.
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { components } from '../../../generated/local-manager.d.ts';
import { notFound } from '../../../src/errors.ts';
import { Download } from '../../../src/results/results.ts';
import { fieldsOf, jsonOf, numberOf, textOf } from '../parsing.ts';
import { replaceFile, writeWhole } from '../whole-files.ts';

export type Backup = components['schemas']['Backup'];

const names = /^([0-9a-f-]{36})\.json$/;

export class BackupStore {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** A dump without its description is incomplete, and so is a description without its dump. */
  async list(): Promise<Backup[]> {
    const files = await readdir(this.folder).catch(() => []);
    const found = await Promise.all(
      files.flatMap((file) => {
        const id = names.exec(file)?.[1];
        return id === undefined ? [] : [this.#read(id)];
      }),
    );
    return found
      .filter((backup) => backup !== undefined)
      .toSorted((one, other) => other.createdAt.localeCompare(one.createdAt));
  }

  async get(id: string): Promise<Backup> {
    const found = await this.#read(id);
    if (found === undefined) throw notFound('backup');
    return found;
  }

  async freeBytes(): Promise<number | null> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    return statfs(this.folder).then(
      ({ bavail, bsize }) => bavail * bsize,
      () => null,
    );
  }

  async download(id: string): Promise<Download> {
    const { fileName, sizeBytes } = await this.get(id);
    return new Download(createReadStream(this.fileOf(id)), {
      mediaType: 'application/octet-stream',
      fileName,
      size: sizeBytes,
    });
  }

  fileOf(id: string): string {
    return join(this.folder, `${id}.dump`);
  }

  /** Prepares the place of a new backup, whose dump has another name until it is complete. */
  async begin(): Promise<{ id: string; partFile: string }> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const id = randomUUID();
    return { id, partFile: this.#partOf(id) };
  }

  /** Makes a complete dump a backup. */
  async add(backup: Backup): Promise<void> {
    const description = this.#descriptionOf(backup.id);
    try {
      await writeWhole(description, JSON.stringify(backup));
      await replaceFile(this.#partOf(backup.id), this.fileOf(backup.id));
    } catch (error) {
      for (const file of [this.#partOf(backup.id), description]) await rm(file, { force: true });
      throw error;
    }
  }

  /** Once its dump is incomplete there is no backup; the next start continues from there. */
  async delete(id: string): Promise<void> {
    await this.get(id);
    await replaceFile(this.fileOf(id), this.#partOf(id));
    await rm(this.#descriptionOf(id), { force: true });
    await rm(this.#partOf(id), { force: true });
  }

  /** Deletes the oldest scheduled backups above that count; other backups are deleted only by their owner. */
  async prune(keepCount: number): Promise<Backup[]> {
    const scheduled = (await this.list()).filter(({ reason }) => reason === 'scheduled');
    const old = scheduled.slice(keepCount);
    for (const { id } of old) await this.delete(id);
    return old;
  }

  /** Removes what interrupted copies have left, and no whole dump: its description may still be on its way here. */
  async removeIncomplete(): Promise<void> {
    const files = await readdir(this.folder).catch(() => []);
    for (const file of files)
      if (/^[0-9a-f-]{36}\.(dump\.part|json\..+)$/.test(file))
        await rm(join(this.folder, file), { force: true });
  }

  async #read(id: string): Promise<Backup | undefined> {
    const text = await readFile(this.#descriptionOf(id), 'utf8').catch(() => '');
    const fields = fieldsOf(jsonOf(text));
    const size = await stat(this.fileOf(id)).then(
      (found) => found.size,
      () => null,
    );
    if (textOf(fields['id']) !== id || size === null || size !== numberOf(fields['sizeBytes']))
      return undefined;
    return fields as unknown as Backup;
  }

  #partOf = (id: string) => `${this.fileOf(id)}.part`;

  #descriptionOf = (id: string) => join(this.folder, `${id}.json`);
}
