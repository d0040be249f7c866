// A storage that is used only once it has proven to be that of all processes of the installation.
import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import { within } from '../process/bounded-wait.ts';
import { ConfigError } from '../process/environment.ts';
import { storing } from './storage-fault.ts';
import { refusalOf, type StorageMarker } from './storage-marker.ts';
import type { Storage, StoredRange } from './storage.ts';

/** How long a start waits for a storage that does not respond. */
const startMs = 5_000;

interface ProofOptions {
  /** The storage, after the name of its setting. */
  name: string;
  /** Whether no other process can use another storage, so that one without a marker gets it. */
  isAlone: boolean;
  log: Logger;
}

export class ProvenStorage implements Storage {
  readonly #storage: Storage;
  readonly #marker: StorageMarker;
  readonly #options: ProofOptions;
  #proof: Promise<void> | undefined;

  constructor(storage: Storage, marker: StorageMarker, options: ProofOptions) {
    this.#storage = storage;
    this.#marker = marker;
    this.#options = options;
  }

  /** Throws if the storage is another one. If it does not respond, its first use proves it. */
  async proveAtStart(): Promise<void> {
    try {
      await within(startMs, this.#prove());
    } catch (error) {
      if (error instanceof ConfigError) throw error;
      this.#options.log.warn(
        { err: error },
        `${this.#options.name} could not be checked: files are refused until it responds`,
      );
    }
  }

  async put(key: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    await this.#prepare();
    await this.#storage.put(key, content);
  }

  async open(key: string, range?: StoredRange): Promise<Readable> {
    await this.#prepare();
    return this.#storage.open(key, range);
  }

  async sizeOf(key: string): Promise<number | null> {
    await this.#prepare();
    return this.#storage.sizeOf(key);
  }

  async remove(key: string): Promise<void> {
    await this.#prepare();
    await this.#storage.remove(key);
  }

  close(): void {
    this.#storage.close();
  }

  async #prepare(): Promise<void> {
    try {
      await storing('checking the storage', () => this.#prove());
    } catch (error) {
      if (Error.isError(error) && error.cause instanceof ConfigError)
        this.#options.log.error(error.cause.message);
      throw error;
    }
  }

  /** Once for all callers; again after a failure. */
  #prove(): Promise<void> {
    this.#proof ??= this.#compare().catch((error: unknown) => {
      this.#proof = undefined;
      throw error;
    });
    return this.#proof;
  }

  async #compare(): Promise<void> {
    const { name, isAlone, log } = this.#options;
    const fault = await this.#marker.claim();
    if (fault === null) return;
    if (!isAlone) throw refusalOf(name, fault);
    await this.#marker.adopt();
    const counts = await this.#marker.countMissing();
    log.warn(counts, `${name} is another storage than before, and is used from now on`);
  }
}
