// The backups of one instance: created atomically, verified by reading back, and restored completely or not at all.
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { publishDurably, replaceDurably } from '../state-files/durable-file.ts';
import { DiskRoom } from '../instance-files/disk-room.ts';
import { FileError } from '../instance-files/file-error.ts';
import type { InstanceFiles } from '../instance-files/instance-files.ts';
import type { Messages, Schemas } from '../messages.ts';
import { isMissing } from '../errors.ts';
import { pack, unpack } from './archive.ts';
import { contentsOf } from './contents.ts';
import type { Contents } from './contents.ts';
import { Restoration } from './restoration.ts';
import type { RestorationEnd } from './restoration.ts';

export type BackupRecord = Schemas['BackupRecord'];

export interface NewBackup {
  id: string;
  kind: BackupRecord['kind'];
  /** Paths below the root; everything if not given. Missing paths are skipped. */
  paths?: string[];
  note?: string;
}

export interface RestoreOptions {
  /** Whether files that were added after the backup are removed from its paths. */
  isRemovingLater?: boolean;
  /** The id for `endOf`. */
  operation?: string;
  /** Whether the instance was stopped for the restoration and must be started again. */
  isToRun?: boolean;
}

export interface InstanceBackupsOptions {
  /** Where the backups are kept, outside the instance's root. */
  directory: string;
  root: string;
  files: InstanceFiles;
  messages: Messages;
  nowText: () => string;
  log: Logger;
}

/** A report is limited to the same number. */
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

  /** Finishes or removes what an earlier agent left unfinished. Called once, before any other method. */
  recover(): Promise<void> {
    return this.#exclusively(async () => {
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

  /** Returns the complete backups on the host, oldest first. */
  list(): BackupRecord[] {
    const { directory } = this.#options;
    return readdirSync(directory)
      .flatMap((name) => (name.endsWith('.json') ? (this.#recordIn(name) ?? []) : []))
      .sort((a, b) => compareText(a.created_at, b.created_at) || compareText(a.id, b.id));
  }

  get(id: string): BackupRecord | undefined {
    return this.list().find((record) => record.id === id);
  }

  /** Idempotent: returns the existing backup with that id. */
  create({ id, kind, paths, note }: NewBackup): Promise<BackupRecord> {
    return this.#exclusively(async () => {
      const present = this.get(id);
      if (present !== undefined) return present;
      if (this.list().length >= maxBackups)
        throw new FileError(
          'too_large',
          `The instance has ${maxBackups} backups, which is the limit; delete some.`,
        );
      const created_at = this.#options.nowText();
      const contents = await contentsOf(this.#options.files, paths);
      if (contents.found.length === 0) throw new FileError('not_found', 'There are no files to back up.');
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

  /** Restores the backup's files. The instance must not run meanwhile. */
  restore(
    id: string,
    { isRemovingLater = false, operation = id, isToRun = false }: RestoreOptions = {},
  ): Promise<void> {
    return this.#exclusively(async () => {
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

  /** Called before the instance is stopped, so that the next agent knows to start it again. */
  announceRestore(operation: string): Promise<unknown> {
    return this.#exclusively(() => this.#restoration.announce(operation, true));
  }

  /** Returns null when the operation is not the last restoration, or is not over. */
  endOf(operation: string): Promise<RestorationEnd | null> {
    return this.#restoration.endOf(operation);
  }

  /** Whether the files are partly restored and the restoration can be neither finished nor undone. */
  isUnsettled(): Promise<boolean> {
    return this.#restoration.isUnsettled();
  }

  /** Idempotent: a missing backup counts as removed. */
  remove(id: string): Promise<void> {
    return this.#exclusively(async () => {
      await this.#discard(`${id}.json`);
      await this.#discard(`${id}.zip`);
    });
  }

  async open(id: string): Promise<FileHandle> {
    if (this.get(id) === undefined) throw noBackup();
    return open(this.#path(`${id}.zip`), 'r');
  }

  /** Writes under a temporary name until the archive is synced and verified. */
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
        await publishDurably(this.#path(partial), this.#path(`${id}.zip`));
        return { size, sha256, content_size, files: files.length, changed };
      } finally {
        await archive.close();
      }
    } catch (error) {
      await this.#discard(partial);
      throw error;
    }
  }

  /** An archive without its record would waste space, so both are removed on failure. */
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

  /** Returns null unless the record is valid and its archive exists with the recorded size. */
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

  #exclusively<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => undefined); // the caller gets the error
    return turn;
  }
}

async function readThrough(_entry: unknown, content: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of content);
}

const noBackup = () => new FileError('not_found', 'The host has no such backup.');

const compareText = (a: string, b: string) => (a < b ? -1 : Number(a > b));
