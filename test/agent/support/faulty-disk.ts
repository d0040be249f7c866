// Disks for append-only files: one whose writes fail from the nth on, and one that is full.
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { LogFile } from '../../../agent/src/state-files/append-log.ts';

/** How much of what it was to write a failing write leaves behind. */
export const leftovers = ['nothing', 'half', 'everything'] as const;
export type Leftover = (typeof leftovers)[number];

/** A disk whose writes and syncs fail from the nth on, until it is mended. */
export class Disk {
  operations = 0;
  code: string | undefined;
  readonly #failing: { from: number; code: string; leaves: Leftover } | undefined;
  isMended = false;
  readonly #failure = Promise.withResolvers<void>();
  /** Settles when the first operation fails. */
  readonly failed = this.#failure.promise;

  constructor(failing?: { from: number; code: string; leaves: Leftover }) {
    this.#failing = failing;
  }

  readonly open = async (name: string): Promise<LogFile> => {
    const file = await open(name, constants.O_RDWR | constants.O_CREAT, 0o600);
    const fails = () => {
      this.operations += 1;
      return !this.isMended && this.#failing !== undefined && this.operations >= this.#failing.from;
    };
    const error = () => {
      this.#failure.resolve();
      return Object.assign(new Error('injected'), { code: this.#failing?.code });
    };
    return {
      write: (async (bytes: Buffer, offset: number, length: number, position: number) => {
        if (!fails()) return file.write(bytes, offset, length, position);
        const kept = { nothing: 0, half: length >> 1, everything: length }[
          this.#failing?.leaves ?? 'nothing'
        ];
        await file.write(bytes, offset, kept, position);
        throw error();
      }) as LogFile['write'],
      datasync: async () => {
        if (fails()) throw error();
        await file.datasync();
      },
      close: () => file.close(),
    };
  };
}

/** A file system on which no file can grow beyond that. */
export function fullBeyond(bytes: number) {
  return async (name: string): Promise<LogFile> => {
    const file = await open(name, constants.O_RDWR | constants.O_CREAT, 0o600);
    return {
      write: (async (data: Buffer, offset: number, length: number, position: number) => {
        if (position + length <= bytes) return file.write(data, offset, length, position);
        if (position >= bytes) throw Object.assign(new Error('injected'), { code: 'ENOSPC' });
        return file.write(data, offset, bytes - position, position);
      }) as LogFile['write'],
      datasync: () => file.datasync(),
      close: () => file.close(),
    };
  };
}
