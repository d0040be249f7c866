// Follows a growing log file in bounded steps, skips ahead when it falls behind, truncates it when it is too long.
import { readSync, truncateSync, watch } from 'node:fs';
import type { FSWatcher } from 'node:fs';
import { copyFile, open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { Logger } from 'pino';
import type { FlowBudget } from './flow-budget.ts';
import { LineSplitter } from './line-splitter.ts';

export interface TailSink {
  onLines: (lines: string[]) => void;
  onSkipped: (lines: number, isExact: boolean) => void;
}

export interface TailOptions {
  path: string;
  offset: number;
  /** The file is truncated once it is longer than this and read to its end. */
  limitBytes: number;
  budget: FlowBudget;
  sink: TailSink;
  log: Logger;
}

const chunkBytes = 16 * 1024;
const countChunkBytes = 256 * 1024;
const maxCountedBytes = 1024 * 1024;
/** About two seconds of the budget. */
const maxLagLines = 10_000;
const maxLagBytes = 2 * 1024 * 1024;
/** Lines shown from the end of a skipped part. */
const keptLines = 1_000;
const maxKeptBytes = 128 * 1024;
/** Read at the last moment before the file is truncated. */
const maxLateBytes = 256 * 1024;
const activePauseMs = 25;
const maxWaitMs = 100;
const idlePauseMs = 1_000;
const partialLineMs = 250;
const idleRoundsBeforeWatch = 40;

export class FileTail {
  readonly #options: TailOptions;
  readonly #splitter = new LineSplitter();
  readonly #chunk = Buffer.allocUnsafe(chunkBytes);
  #file: FileHandle | null = null;
  #watcher: FSWatcher | null = null;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> = Promise.resolve();
  #offset: number;
  #partialSinceMs: number | null = null;
  #idleRounds = 0;
  #held: Buffer | null = null;
  #lineBytes = 100;
  #skippedLines = 0;
  #isSkippedExact = true;
  #isFlooded = false;
  #isClosed = false;

  constructor(options: TailOptions) {
    this.#options = options;
    this.#offset = options.offset;
  }

  /** Every byte before this offset has been emitted as part of a line. */
  get consumedOffset(): number {
    return this.#offset - this.#splitter.pendingBytes;
  }

  async start(): Promise<void> {
    this.#file = await open(this.#options.path, 'r');
    this.#schedule(0);
  }

  /** Reads the rest after the writers have ended, including an unfinished last line. */
  async finish(): Promise<void> {
    await this.stop();
    this.#isClosed = false;
    await this.#readAvailable(true);
    this.#isClosed = true;
    const rest = this.#splitter.flush(true);
    if (rest !== null) this.#options.sink.onLines([rest]);
    await this.#close();
  }

  /** Stops reading; the offset stays valid. */
  async stop(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#unwatch();
    await this.#round;
  }

  async close(): Promise<void> {
    await this.stop();
    await this.#close();
  }

  async #close(): Promise<void> {
    await this.#file?.close();
    this.#file = null;
  }

  #schedule(pauseMs: number): void {
    if (this.#isClosed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#round = this.#round.then(() => this.#turn());
    }, pauseMs);
  }

  /** Polls while output arrives, because events would come by the thousand. Watches the file while it is idle. */
  async #turn(): Promise<void> {
    try {
      const offsetBefore = this.#offset;
      const waitMs = await this.#readAvailable(false);
      this.#flushPartialLine();
      this.#idleRounds = this.#offset === offsetBefore ? this.#idleRounds + 1 : 0;
      const isResting = this.#idleRounds >= idleRoundsBeforeWatch && this.#partialSinceMs === null;
      if (isResting && !this.#isClosed) {
        const isNewWatch = this.#watcher === null;
        this.#watch();
        // One more read after starting a watch finds what was written in between.
        this.#schedule(isNewWatch || this.#watcher === null ? activePauseMs : idlePauseMs);
      } else {
        this.#unwatch();
        this.#schedule(Math.min(Math.max(waitMs, activePauseMs), maxWaitMs));
      }
    } catch (error) {
      this.#options.log.warn({ file: this.#options.path, err: error }, 'console output cannot be read');
      this.#schedule(idlePauseMs);
    }
  }

  /** Returns how long the budget requires to wait. */
  async #readAvailable(isLast: boolean): Promise<number> {
    const { budget, limitBytes } = this.#options;
    const file = this.#file;
    if (file === null) return 0;
    while (!this.#isClosed) {
      const { size } = await file.stat();
      if (size < this.#offset) this.#offset = 0; // truncated by another process, or before a crash
      if (size === this.#offset && this.#held === null) {
        if (size > limitBytes && !isLast) await this.#empty();
        return 0;
      }
      const isFarBehind = size - this.#offset > this.#bytesOf(maxLagLines, maxLagBytes);
      if (isFarBehind && size > limitBytes && !isLast) {
        await this.#skipTo(file, size - this.#bytesOf(keptLines, maxKeptBytes));
        await this.#hold(file, size);
        await this.#empty();
        return 0;
      }
      const waitMs = isLast ? 0 : budget.waitMs();
      if (waitMs > 0) return waitMs;
      if (isFarBehind) await this.#skipTo(file, size - this.#bytesOf(keptLines, maxKeptBytes));
      this.#reportSkipped();
      if (this.#held !== null) {
        this.#take(this.#held);
        this.#held = null;
        continue;
      }
      const { bytesRead } = await file.read(this.#chunk, 0, chunkBytes, this.#offset);
      this.#offset += bytesRead;
      this.#take(this.#chunk.subarray(0, bytesRead));
    }
    return 0;
  }

  #take(bytes: Buffer): void {
    const { budget, sink } = this.#options;
    const lines = this.#splitter.push(bytes);
    if (lines.length > 0) this.#lineBytes = (this.#lineBytes + bytes.length / lines.length) / 2;
    budget.take(lines.length, bytes.length);
    if (this.#splitter.pendingBytes === 0) this.#partialSinceMs = null;
    else if (lines.length > 0) this.#partialSinceMs = performance.now();
    else this.#partialSinceMs ??= performance.now();
    if (lines.length > 0) sink.onLines(lines);
  }

  /** Estimates the bytes of that many lines from the recent line length. */
  #bytesOf(lines: number, maxBytes: number): number {
    return Math.min(maxBytes, Math.ceil(lines * this.#lineBytes));
  }

  /** Reads the end of a file that is about to be truncated, because the last lines of a flood matter most. */
  async #hold(file: FileHandle, size: number): Promise<void> {
    const end = Buffer.alloc(size - this.#offset);
    const { bytesRead } = await file.read(end, 0, end.length, this.#offset);
    this.#held = end.subarray(0, bytesRead);
    this.#offset += bytesRead;
  }

  #flushPartialLine(): void {
    if (this.#partialSinceMs === null || performance.now() - this.#partialSinceMs < partialLineMs) return;
    this.#partialSinceMs = null;
    const text = this.#splitter.flush();
    if (text !== null) this.#options.sink.onLines([text]);
  }

  async #skipTo(file: FileHandle, target: number): Promise<void> {
    const skippedBytes = target - this.#offset;
    const countedBytes = Math.min(skippedBytes, maxCountedBytes);
    const buffer = Buffer.allocUnsafe(countChunkBytes);
    if (this.#held !== null) this.#skippedLines += countNewlines(this.#held, this.#held.length);
    this.#held = null;
    let newlines = 0;
    for (let done = 0; done < countedBytes;) {
      const { bytesRead } = await file.read(
        buffer,
        0,
        Math.min(countChunkBytes, countedBytes - done),
        this.#offset + done,
      );
      if (bytesRead === 0) break;
      newlines += countNewlines(buffer, bytesRead);
      done += bytesRead;
    }
    this.#skippedLines += Math.max(1, Math.round((newlines * skippedBytes) / countedBytes));
    this.#isSkippedExact &&= countedBytes === skippedBytes;
    this.#splitter.discard();
    this.#offset = target;
    this.#partialSinceMs = null;
    this.#isFlooded = true;
  }

  #reportSkipped(): void {
    if (this.#skippedLines === 0) return;
    this.#options.sink.onSkipped(this.#skippedLines, this.#isSkippedExact);
    this.#skippedLines = 0;
    this.#isSkippedExact = true;
  }

  /** The server writes in append mode, so its next line becomes the first of the file. */
  async #empty(): Promise<void> {
    const { path, log } = this.#options;
    // During a flood no copy is made: it would be expensive and could fill the disk.
    if (!this.#isFlooded) {
      await copyFile(path, `${path}.1`).catch((error: unknown) =>
        log.warn({ file: path, err: error }, 'the log was not kept'),
      );
      const size = (await this.#file?.stat())?.size ?? 0;
      if (size > this.#offset) return; // first read what arrived during the copy
    }
    this.#truncate();
  }

  /**
   * Reads what arrived in the meantime and truncates in one go: what a server writes in between is lost, so nothing else
   * of this process may run there. If more has arrived than is read at once, the file is left for the next turn.
   */
  #truncate(): void {
    const file = this.#file;
    if (file === null) return;
    const late = Buffer.allocUnsafe(maxLateBytes);
    let length = 0;
    for (;;) {
      const bytesRead = readSync(file.fd, late, length, late.length - length, this.#offset);
      length += bytesRead;
      this.#offset += bytesRead;
      if (bytesRead === 0 || length === late.length) break;
    }
    if (length > 0) this.#held = Buffer.concat([this.#held ?? Buffer.alloc(0), late.subarray(0, length)]);
    if (length === late.length) return;
    truncateSync(this.#options.path);
    this.#offset = 0;
    this.#isFlooded = false;
  }

  #watch(): void {
    if (this.#watcher !== null) return;
    try {
      this.#watcher = watch(this.#options.path, { persistent: false }, () => {
        this.#unwatch();
        this.#idleRounds = 0;
        this.#schedule(0);
      });
      this.#watcher.on('error', () => this.#unwatch()); // polling continues without it
    } catch (error) {
      this.#options.log.debug(
        { file: this.#options.path, err: error },
        'the log cannot be watched, only polled',
      );
    }
  }

  #unwatch(): void {
    this.#watcher?.close();
    this.#watcher = null;
  }
}

function countNewlines(buffer: Buffer, length: number): number {
  let count = 0;
  for (let index = 0; index < length; index += 1) if (buffer[index] === 0x0a) count += 1;
  return count;
}
