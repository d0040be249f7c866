// Spools uploads that cannot be validated yet to an unlinked temporary file until they are read.
import { randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { DomainError } from '../errors.ts';
import { SharedBudget } from './shared-budget.ts';

const mebibyte = 1024 ** 2;

/** The budget on disk: one license can spool one file of the largest size, a quarter of the total. */
export const spoolLimits = { max: 1024 * mebibyte, maxShare: 256 * mebibyte, maxMs: 15 * 60_000 };

export interface Spooling {
  /** The response to the request that brought the file. */
  response: ServerResponse;
  /** The caller whose share of the disk budget the file counts against. */
  holder: string;
  /** Ends the content with an error. */
  abort: (error: Error) => void;
}

export class Spool {
  /** Bytes on disk at once, for all requests of this process. */
  readonly #budget: SharedBudget;
  readonly #maxMs: number;

  constructor({ maxMs, ...budget } = spoolLimits) {
    this.#budget = new SharedBudget(budget);
    this.#maxMs = maxMs;
  }

  /**
   * The same content from its beginning, once all of it has arrived. The file disappears when the response is over. The
   * bytes count against the holder's share, and the content must arrive within the time limit.
   */
  async keep(content: Readable, { response, holder, abort }: Spooling): Promise<Readable> {
    const path = join(tmpdir(), `gantry-upload-${randomUUID()}`);
    const file = await open(path, 'wx+', 0o600).catch(noRoom);
    const deadline = setTimeout(() => abort(late()), this.#maxMs).unref();
    let bytes = 0;
    const release = () => {
      this.#budget.release(holder, bytes);
      bytes = 0;
    };
    try {
      await unlink(path);
      for await (const chunk of content as AsyncIterable<Buffer>) {
        if (!this.#budget.take(holder, chunk.byteLength)) throw busy();
        bytes += chunk.byteLength;
        await file.writev([chunk]).catch(noRoom);
      }
    } catch (error) {
      release();
      await file.close();
      throw error;
    } finally {
      clearTimeout(deadline);
    }
    const stored = file.createReadStream({ start: 0 });
    stored.once('close', release);
    if (response.destroyed) stored.destroy();
    else response.once('close', () => stored.destroy());
    return stored;
  }
}

const busy = (cause?: unknown) =>
  new DomainError('unavailable', 'Too many uploads at once; send the fields before the file.', { cause });

const late = () =>
  new DomainError('unavailable', 'The file took too long to arrive; send the fields before the file.');

function noRoom(error: unknown): never {
  throw busy(error);
}
