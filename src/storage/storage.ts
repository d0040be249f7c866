// The interface of file storage.
import type { Readable } from 'node:stream';

/** A byte range of a file, both ends inclusive. */
export interface StoredRange {
  first: number;
  last: number;
}

/**
 * Stores immutable files under keys, which are ids joined by slashes. Writes are atomic: a file exists completely or
 * not at all.
 */
export interface Storage {
  /** Rethrows an error of `content` unchanged, and then stores nothing. */
  put(key: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  open(key: string, range?: StoredRange): Promise<Readable>;
  /** The size of the file in bytes; null if it does not exist. */
  sizeOf(key: string): Promise<number | null>;
  /** Deletes the file, or the partial file that a dead process left. Idempotent. */
  remove(key: string): Promise<void>;
  close(): void;
}
