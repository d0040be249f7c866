// Checks that all processes use the same storage: it holds a marker file whose id is in the database.
import { randomUUID } from 'node:crypto';
import { ConfigError } from '../process/environment.ts';
import type { Storage } from './storage.ts';
import { keyOfRow } from './stored-files.ts';

/** As many of the newest files are looked for before a storage without a marker gets one. */
const examinedFiles = 5;

const text =
  'Files of a Gantry installation are stored here. Its processes start only where they find this file.\n';

/** Why a storage is not the one that other processes use; null if it is, or if there is none yet. */
export type MarkerFault = 'lacks-marker' | 'lacks-files' | null;

interface Database {
  query(sql: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

export class StorageMarker {
  readonly #database: Database;
  readonly #storage: Storage;

  constructor(database: Database, storage: Storage) {
    this.#database = database;
    this.#storage = storage;
  }

  /** Changes nothing. */
  async examine(): Promise<{ id: string | undefined; fault: MarkerFault }> {
    const id = await this.#id();
    if (id !== undefined) return { id, fault: (await this.#has(id)) ? null : 'lacks-marker' };
    return { id, fault: (await this.#lacksFiles()) ? 'lacks-files' : null };
  }

  /**
   * Examines the storage, and marks it if the database names none yet. The file is written first: of processes that
   * start together one row counts, and a process that dies in between leaves a file without a meaning.
   */
  async claim(): Promise<MarkerFault> {
    const { id, fault } = await this.examine();
    if (id !== undefined || fault !== null) return fault;
    const own = await this.#write();
    await this.#database.query('insert into storage_marker (id) values ($1) on conflict do nothing', [own]);
    const claimed = await this.#id();
    if (claimed === own) return null;
    await this.#storage.remove(keyOf(own));
    return claimed !== undefined && (await this.#has(claimed)) ? null : 'lacks-marker';
  }

  /** Makes this storage the one of all processes, even if files are missing in it. Those with the former one do not start again. */
  async adopt(): Promise<void> {
    await this.#database.query(
      `insert into storage_marker (id) values ($1)
       on conflict (is_only_row) do update set id = excluded.id, created_at = now()`,
      [await this.#write()],
    );
  }

  /** The number of files that the database names and the storage does not have. */
  async countMissing(): Promise<{ files: number; missing: number }> {
    const keys = await this.#keys();
    let missing = 0;
    for (const key of keys) if ((await this.#storage.sizeOf(key)) === null) missing += 1;
    return { files: keys.length, missing };
  }

  async #write(): Promise<string> {
    const id = randomUUID();
    await this.#storage.put(keyOf(id), bytesOf(text));
    return id;
  }

  async #id(): Promise<string | undefined> {
    const { rows } = await this.#database.query('select id from storage_marker');
    return (rows as { id: string }[])[0]?.id;
  }

  async #has(id: string): Promise<boolean> {
    return (await this.#storage.sizeOf(keyOf(id))) !== null;
  }

  /** A single file may be lost, or be removed meanwhile; the storage of other processes has at least one. */
  async #lacksFiles(): Promise<boolean> {
    const keys = await this.#keys(examinedFiles);
    for (const key of keys) if ((await this.#storage.sizeOf(key)) !== null) return false;
    return keys.length > 0;
  }

  async #keys(max?: number): Promise<string[]> {
    const { rows } = await this.#database.query(
      `select ${keyOfRow} as key from stored_file where state = 'kept'
       order by created_at desc limit $1`,
      [max],
    );
    return (rows as { key: string }[]).map(({ key }) => key);
  }
}

const keyOf = (id: string) => `marker/${id}`;

async function* bytesOf(content: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(content);
}

export const adoption = 'run "gantry adopt-storage" if it replaces their storage';

/** `name` is the storage, after the name of its setting. */
export function refusalOf(name: string, fault: Exclude<MarkerFault, null>): ConfigError {
  const lack =
    fault === 'lacks-marker'
      ? 'is not the storage of the other processes, because it lacks their marker'
      : 'lacks the files that the database names';
  return new ConfigError(
    `${name} ${lack}: set GANTRY_STORAGE_DIR or S3_BUCKET as for the other processes, or ${adoption}`,
  );
}
