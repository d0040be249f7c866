// What the platform asks of the place where it keeps files.
import type { Readable } from 'node:stream';

/** Bytes of a file, both ends included. */
export interface StoredRange {
  first: number;
  last: number;
}

/** Files under keys, which are ids joined by slashes. A file is there whole or not at all, and never changes. */
export interface Storage {
  /** What `content` throws is thrown as it is, and leaves nothing behind. */
  put(key: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  open(key: string, range?: StoredRange): Promise<Readable>;
  /** How long the file is; null when there is none. */
  sizeOf(key: string): Promise<number | null>;
  /** Removes the file, or what a process that died has left of it. That there is nothing is no fault. */
  remove(key: string): Promise<void>;
  close(): void;
}
