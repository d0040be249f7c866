// Copies large files between the host and the virtual machine, as they are and with their progress.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { refusal } from '../refusals.ts';
import { withoutSpace } from '../whole-files.ts';
import type { GuestShell, GuestStream } from './guest-shell.ts';

export interface Transfer {
  sizeBytes: number;
  sha256: string;
  percent: (percent: number) => void;
  signal: AbortSignal | undefined;
}

/** Copies the file out of the virtual machine; nothing remains of an incomplete copy. */
export async function downloadFromGuest(
  shell: GuestShell,
  path: string,
  file: string,
  { sizeBytes, sha256, percent, signal }: Transfer,
): Promise<void> {
  try {
    await withoutSpace(file, async () => {
      const meter = new Meter(sizeBytes, percent);
      const source = shell.stream({ script: 'exec cat "$1"', values: [path], signal });
      const written = pipeline(
        source.output,
        meter,
        createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }),
      );
      await both(source, written);
      if (meter.bytes !== sizeBytes || meter.sha256 !== sha256)
        throw refusal('guest_failed', 'The copy differs from the file in the virtual machine; try again.');
    });
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
}

/** Copies the file into the virtual machine, where its checksum is compared. */
export async function uploadToGuest(
  shell: GuestShell,
  file: string,
  path: string,
  { sha256, percent, signal }: Omit<Transfer, 'sizeBytes'>,
): Promise<void> {
  const { size } = await stat(file);
  const target = shell.stream({
    script: 'umask 077; cat > "$1" && [ "$(sha256sum < "$1" | cut -d " " -f 1)" = "$2" ]',
    values: [path, sha256],
    signal,
  });
  const sent = pipeline(createReadStream(file), new Meter(size, percent), target.input);
  await both(target, sent);
}

/** Waits for the session and for the copy; of two failures, the reason of ssh says more than a broken pipe. */
async function both(session: GuestStream, copied: Promise<void>): Promise<void> {
  const copying = copied.catch((error: unknown) => {
    session.stop();
    throw error;
  });
  const [ended, copy] = await Promise.allSettled([session.ended, copying]);
  if (copy.status === 'rejected' && !brokenPipes.includes(codeOf(copy.reason))) throw copy.reason;
  if (ended.status === 'rejected') throw ended.reason;
  if (copy.status === 'rejected') throw copy.reason;
}

const brokenPipes = ['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'];

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';

class Meter extends Transform {
  bytes = 0;
  readonly #hash = createHash('sha256');
  readonly #total: number;
  readonly #report: (percent: number) => void;
  #last = -1;

  constructor(total: number, report: (percent: number) => void) {
    super();
    this.#total = total;
    this.#report = report;
  }

  get sha256(): string {
    return this.#hash.copy().digest('hex');
  }

  override _transform(chunk: Buffer, _encoding: string, done: (error: null, chunk: Buffer) => void): void {
    this.bytes += chunk.length;
    this.#hash.update(chunk);
    const percent = this.#total === 0 ? 100 : Math.min(100, Math.floor((100 * this.bytes) / this.#total));
    if (percent !== this.#last) this.#report((this.#last = percent));
    done(null, chunk);
  }
}
