// The backups of one instance: made whole or not at all, read back before they count, restored all of it or nothing.
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { replaceDurably, syncDirectory } from '../files/durable-file.ts';
import { DiskRoom } from '../instance-files/disk-room.ts';
import { FileError } from '../instance-files/file-error.ts';
import type { InstanceFiles } from '../instance-files/instance-files.ts';
import type { Messages, Schemas } from '../messages.ts';
import { isMissing } from '../system-error.ts';
import { pack, unpack } from './archive.ts';
import { contentsOf } from './contents.ts';
import type { Contents } from './contents.ts';
import { Restoration } from './restoration.ts';
import type { RestorationEnd } from './restoration.ts';

export type BackupRecord = Schemas['BackupRecord'];

export interface NewBackup {
  id: string;
  kind: BackupRecord['kind'];
  /** What it is of, below the root; everything unless given. What is not there is not in it. */
  paths?: string[];
  note?: string;
}

export interface RestoreOptions {
  /** Whether what came after the backup to where it is from is removed. */
  isRemovingLater?: boolean;
  /** What `endOf` is asked for. */
  operation?: string;
  /** Whether the instance was stopped for it, and is to run again. */
  isToRun?: boolean;
}

export interface InstanceBackupsOptions {
  /** Where they are kept, outside of the instance's root. */
  directory: string;
  /** The instance's root. */
  root: string;
  files: InstanceFiles;
  messages: Messages;
  nowText: () => string;
  log: Logger;
}

/** A report has room for as many. */
const maxBackups = 100;

export class InstanceBackups {
  readonly #options: InstanceBackupsOptions;
  readonly #restoration: Restoration;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: InstanceBackupsOptions) {
    this.#options = options;
    mkdirSync(options.directory, { recursive: true, mode: 0o700 });
    this.#restoration = new Restoration(options.files, this.#path('restoration.json'), options.log);
  }

  /** Settles what an agent before this one left unfinished. Called once, before anything else. */
  recover(): Promise<void> {
    return this.#inTurn(async () => {
      const names = new Set(readdirSync(this.#options.directory));
      for (const name of names) {
        const [, id = '', kind] = /^([0-9a-f-]{36})\.(partial|zip|json|json\.new)$/i.exec(name) ?? [];
        const isWhole = names.has(`${id}.zip`) && names.has(`${id}.json`);
        if (kind !== undefined && !(isWhole && (kind === 'zip' || kind === 'json')))
          await this.#discard(name);
      }
      await this.#restoration.recover();
    });
  }

  /** Those that are whole, oldest first: what the host has of them now. */
  list(): BackupRecord[] {
    const { directory } = this.#options;
    return readdirSync(directory)
      .flatMap((name) => (name.endsWith('.json') ? (this.#recordIn(name) ?? []) : []))
      .sort((a, b) => compareText(a.created_at, b.created_at) || compareText(a.id, b.id));
  }

  get(id: string): BackupRecord | undefined {
    return this.list().find((record) => record.id === id);
  }

  /** A backup that there is already under that id is that backup. */
  create({ id, kind, paths, note }: NewBackup): Promise<BackupRecord> {
    return this.#inTurn(async () => {
      const present = this.get(id);
      if (present !== undefined) return present;
      if (this.list().length >= maxBackups)
        throw new FileError('too_large', `The instance has ${maxBackups} backups already; delete some.`);
      const created_at = this.#options.nowText();
      const contents = await contentsOf(this.#options.files, paths);
      if (contents.found.length === 0)
        throw new FileError('not_found', 'There is nothing of which a backup could be made.');
      await this.#room.require(contents.bytes);
      const made = await this.#write(id, contents);
      const record: BackupRecord = {
        id,
        kind,
        created_at,
        ...made,
        left_out: contents.leftOut,
        is_partial: paths !== undefined,
        ...(paths !== undefined && { paths }),
        ...(note !== undefined && { note }),
      };
      await this.#keep(record);
      return record;
    });
  }

  /** Puts its files back. The instance must not run meanwhile. */
  restore(
    id: string,
    { isRemovingLater = false, operation = id, isToRun = false }: RestoreOptions = {},
  ): Promise<void> {
    return this.#inTurn(async () => {
      const record = this.get(id);
      if (record === undefined) throw noBackup();
      await new DiskRoom(this.#options.root).require(record.content_size);
      const archive = await open(this.#path(`${id}.zip`), 'r');
      try {
        await this.#restoration.run(
          archive,
          { paths: record.paths, isRemovingLater },
          { operation, isToRun },
        );
      } finally {
        await archive.close();
      }
    });
  }

  /** Before the instance is stopped for it, so that the next agent knows. */
  announceRestore(operation: string): Promise<unknown> {
    return this.#inTurn(() => this.#restoration.announce(operation, true));
  }

  /** Null when the operation is not the last restoration, or is not over. */
  endOf(operation: string): Promise<RestorationEnd | null> {
    return this.#restoration.endOf(operation);
  }

  /** Whether its files are half of a backup, which can be neither finished nor taken back. */
  isUnsettled(): Promise<boolean> {
    return this.#restoration.isUnsettled();
  }

  /** What is not there is removed already. */
  remove(id: string): Promise<void> {
    return this.#inTurn(async () => {
      await this.#discard(`${id}.json`);
      await this.#discard(`${id}.zip`);
    });
  }

  /** The archive, for reading. */
  async open(id: string): Promise<FileHandle> {
    if (this.get(id) === undefined) throw noBackup();
    return open(this.#path(`${id}.zip`), 'r');
  }

  /** Under another name until it is on disk, and until all of it could be read back. */
  async #write(
    id: string,
    { found }: Contents,
  ): Promise<Pick<BackupRecord, 'size' | 'sha256' | 'content_size' | 'files' | 'changed'>> {
    const partial = `${id}.partial`;
    try {
      const archive = await open(this.#path(partial), 'w+', 0o600);
      try {
        const { listed, sha256, changed } = await pack(
          { handle: archive, room: this.#room },
          this.#options.files,
          found,
        );
        await archive.sync();
        await unpack(archive, readThrough);
        const { size } = await archive.stat();
        const files = listed.filter(({ isDirectory }) => !isDirectory);
        const content_size = files.reduce((sum, file) => sum + file.size, 0);
        await rename(this.#path(partial), this.#path(`${id}.zip`));
        syncDirectory(this.#options.directory);
        return { size, sha256, content_size, files: files.length, changed };
      } finally {
        await archive.close();
      }
    } catch (error) {
      await this.#discard(partial);
      throw error;
    }
  }

  /** An archive without its record would take room for nothing. */
  async #keep(record: BackupRecord): Promise<void> {
    const name = `${record.id}.json`;
    try {
      await replaceDurably(this.#path(name), JSON.stringify(record));
    } catch (error) {
      for (const left of [`${record.id}.zip`, name, `${name}.new`]) await this.#discard(left);
      throw error;
    }
  }

  get #room(): DiskRoom {
    return new DiskRoom(this.#options.directory);
  }

  /** Null unless it describes an archive that is there, as long as it was. */
  #recordIn(name: string): BackupRecord | null {
    try {
      const record = this.#options.messages.parse('BackupRecord', readFileSync(this.#path(name), 'utf8'));
      if (!record.isValid || `${record.value.id}.json` !== name) return null;
      return statSync(this.#path(`${record.value.id}.zip`)).size === record.value.size ? record.value : null;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  #discard(name: string): Promise<void> {
    return rm(this.#path(name), { force: true });
  }

  #path(name: string): string {
    return join(this.#options.directory, name);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => undefined); // its own caller sees the error
    return turn;
  }
}

async function readThrough(_entry: unknown, content: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of content);
}

const noBackup = () => new FileError('not_found', 'The host has no such backup.');

const compareText = (a: string, b: string) => (a < b ? -1 : Number(a > b));
