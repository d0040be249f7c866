// Writes log lines to standard output or error without waiting for slow readers, and counts lost lines.
import { writeSync } from 'node:fs';
import { Socket } from 'node:net';

/** Maximum bytes buffered for a slow reader. */
const maxWaitingBytes = 1024 * 1024;

export class LogOutput {
  readonly #fd: 1 | 2;
  /** A pipe, socket or terminal, written by the event loop; undefined for a file. */
  readonly #stream: Socket | undefined;
  #lostLines = 0;
  #unreportedLines = 0;
  #log: { warn: (fields: object, message: string) => void } | undefined;

  constructor(fd: 1 | 2) {
    this.#fd = fd;
    // The other stream is prepared as well: output of Node itself, such as a crash, must not block either.
    const [output, error] = [socketOf(process.stdout), socketOf(process.stderr)];
    this.#stream = fd === 1 ? output : error;
    // Lines lost by an error are counted where they were written.
    this.#stream?.on('error', () => undefined);
    this.#stream?.on('drain', () => this.#reportLost());
  }

  /** Number of lost lines since the process started. */
  get lostLines(): number {
    return this.#lostLines;
  }

  /** Logs the number of lost lines once lines can be written again. */
  reportTo(log: { warn: (fields: object, message: string) => void }): void {
    this.#log = log;
  }

  write(line: string): void {
    if (this.#stream === undefined) this.#writeToFile(line);
    else if (this.#stream.destroyed || this.#stream.writableLength > maxWaitingBytes) this.#lose();
    else
      this.#stream.write(line, (error) => {
        if (error) this.#lose();
      });
  }

  /** Resolves once the buffer is written, or after `maxMs`: call it before the process exits. */
  async flush(maxMs: number): Promise<void> {
    const stream = this.#stream;
    if (stream === undefined || stream.writableLength === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, maxMs);
      stream.write('', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  #lose(): void {
    this.#lostLines += 1;
    this.#unreportedLines += 1;
  }

  #reportLost(): void {
    const count = this.#unreportedLines;
    if (count === 0) return;
    this.#unreportedLines = 0;
    this.#log?.warn({ lostLines: count }, 'lines of this log were lost: they could not be written');
  }

  /** Lines that the disk has no room for are lost. */
  #writeToFile(line: string): void {
    try {
      let rest = Buffer.from(line);
      while (rest.byteLength > 0) rest = rest.subarray(writeSync(this.#fd, rest));
      this.#reportLost();
    } catch {
      this.#lose();
    }
  }
}

/** Node writes to pipes and sockets without blocking. A write to a terminal would block while Ctrl-S holds it. */
function socketOf(stream: NodeJS.WriteStream): Socket | undefined {
  if (!(stream instanceof Socket)) return undefined;
  if (stream.isTTY) (stream as unknown as TerminalStream)._handle?.setBlocking?.(false);
  return stream;
}

interface TerminalStream {
  _handle?: { setBlocking?: (isBlocking: boolean) => unknown };
}
