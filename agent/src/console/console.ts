// Numbers the console lines of one instance, keeps the newest ones and publishes new ones in batches.
import { readFileSync } from 'node:fs';
import type { Logger } from 'pino';
import { replaceQuickly } from '../state-files/durable-file.ts';
import type { ConsoleLine } from '../messages.ts';
import type { ConsoleHistory, HistoryPage, HistoryPosition } from './console-history.ts';
import { clean } from './line-splitter.ts';
import type { Repeats } from './repeats.ts';

export interface Offsets {
  stdout: number;
  stderr: number;
}

interface Cursor extends Offsets {
  boot: string;
  seq: number;
  lines: ConsoleLine[];
}

export interface ConsoleOptions {
  instance: string;
  cursorFile: string;
  history: ConsoleHistory;
  nowText: () => string;
  /** Returns false when the batch could not be sent. It is lost then, and the line numbers show the gap. */
  publish: (payload: string) => boolean;
  /** For a game that also sends its output over its own protocol. */
  repeats?: Repeats;
  log: Logger;
}

const keptLines = 200;
const maxBatchLines = 200;
const maxBatchBytes = 60 * 1024;
const batchPauseMs = 100;
const quickPauseMs = 10;
const restMs = 500;
const maxTailBytes = 512 * 1024;

export class Console {
  readonly #options: ConsoleOptions;
  #boot: string | null = null;
  #seq = 0;
  #kept: ConsoleLine[] = [];
  #unsent: string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sentAtMs = 0;
  #quickBatches = 0;
  #isSaveFailing = false;
  #offsets: () => Offsets = () => ({ stdout: 0, stderr: 0 });
  #onText: ((text: string) => void) | null = null;
  readonly #followers = new Set<(line: ConsoleLine) => void>();

  constructor(options: ConsoleOptions) {
    this.#options = options;
  }

  get boot(): string | null {
    return this.#boot;
  }

  /** Begins a new process: numbering restarts at 1. */
  begin(boot: string): void {
    this.flush();
    this.#boot = boot;
    this.#seq = 0;
    this.#kept = [];
    this.#offsets = () => ({ stdout: 0, stderr: 0 });
    this.#save(false);
  }

  /** Continues the numbering of an earlier agent. Returns how far the output was read, or null if that is lost. */
  resume(boot: string): Offsets | null {
    const cursor = this.#read();
    if (cursor === null || cursor.boot !== boot) return null;
    this.#boot = boot;
    this.#seq = cursor.seq;
    this.#kept = cursor.lines;
    return { stdout: cursor.stdout, stderr: cursor.stderr };
  }

  readFrom(offsets: () => Offsets): void {
    this.#offsets = offsets;
  }

  /** Sets the function that is called with every line that the process prints. */
  listen(onText: ((text: string) => void) | null): void {
    this.#onText = onText;
  }

  /** Calls the follower with every new line until the returned function is called. */
  follow(follower: (line: ConsoleLine) => void): () => void {
    this.#followers.add(follower);
    return () => void this.#followers.delete(follower);
  }

  /** Adds lines that the process has printed. */
  add(stream: 'stdout' | 'stderr', texts: string[]): void {
    this.#append(this.#onlyNew('process', texts).map((text) => ({ stream, text })));
    if (this.#onText !== null) texts.forEach(this.#onText);
  }

  /** Adds lines that the game sent over its own protocol. Chat counts as a separate source. */
  addFromGame(kind: 'chat' | 'error' | 'other', texts: string[]): void {
    if (this.#boot === null) return;
    const stream = kind === 'error' ? 'stderr' : 'stdout';
    const lines = this.#onlyNew(kind === 'chat' ? 'chat' : 'game', texts.map(clean));
    this.#append(lines.map((text) => ({ stream, text })));
  }

  /** Adds the game's reply to a typed line. */
  addReply(texts: string[]): void {
    if (this.#boot !== null) this.#append(texts.map((text) => ({ stream: 'stdout', text: clean(text) })));
  }

  /** Adds a line that a user has typed. */
  echo(by: string, line: string): void {
    this.#append([{ stream: 'input', text: clean(line), by: clean(by) }]);
  }

  remark(text: string): void {
    if (this.#boot !== null) this.#append([{ stream: 'system', text: clean(text) }]);
  }

  skip(lines: number, isExact: boolean): void {
    this.#seq += lines;
    this.remark(
      `… ${isExact ? '' : 'about '}${lines.toLocaleString('en')} lines skipped: the server prints faster than they can be shown`,
    );
  }

  /** Returns the newest lines, up to 512 KiB; older ones are left out. */
  tail(limit: number, after?: { boot: string; seq: number }): { lines: ConsoleLine[]; isTruncated: boolean } {
    this.flush(); // a number that was returned must not be reused after a crash
    const isSameBoot = after !== undefined && after.boot === this.#boot;
    const wanted = this.#kept.filter((line) => !isSameBoot || line.seq > after.seq).slice(-limit);
    let bytes = 0;
    const from = wanted.findLastIndex(
      (line) => (bytes += Buffer.byteLength(JSON.stringify(line))) > maxTailBytes,
    );
    return { lines: wanted.slice(from + 1), isTruncated: from !== -1 };
  }

  /** Returns lines that were printed before a position, also by earlier runs. */
  earlier(before: HistoryPosition | undefined, limit: number): Promise<HistoryPage> {
    this.flush();
    return this.#options.history.before(before, limit);
  }

  /** Saves before it publishes: after a crash lines may be missing, but no number is used twice. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#unsent.length === 0 || this.#boot === null) return;
    this.#save(false);
    this.#options.history.append(this.#boot, this.#unsent);
    const head = `{"v":1,"instance":${JSON.stringify(this.#options.instance)},"boot":${JSON.stringify(this.#boot)},"lines":[`;
    for (const batch of batches(this.#unsent)) this.#options.publish(`${head}${batch.join(',')}]}`);
    this.#unsent = [];
    this.#sentAtMs = performance.now();
  }

  /** For an orderly shutdown: also saves the newest lines for the next agent. */
  close(): void {
    this.flush();
    if (this.#boot !== null) this.#save(true);
  }

  #onlyNew(way: string, texts: string[]): string[] {
    const { repeats } = this.#options;
    return repeats === undefined ? texts : texts.filter((text) => repeats.isNew(way, text));
  }

  #append(lines: Omit<ConsoleLine, 'seq' | 'at'>[]): void {
    const at = this.#options.nowText();
    for (const { stream, text, ...rest } of lines) {
      this.#seq += 1;
      const line: ConsoleLine = { seq: this.#seq, at, stream, text, ...rest };
      this.#kept.push(line);
      this.#unsent.push(JSON.stringify(line));
      for (const follower of this.#followers) follower(line);
    }
    if (this.#kept.length > keptLines) this.#kept = this.#kept.slice(-keptLines);
    this.#scheduleFlush();
  }

  /** Flushes every 100 ms while output continues. The first batches after a pause, such as replies, are sent sooner. */
  #scheduleFlush(): void {
    if (this.#timer !== undefined) return;
    const restedMs = performance.now() - this.#sentAtMs;
    if (restedMs > restMs) this.#quickBatches = 3;
    const isQuick = this.#quickBatches > 0;
    if (isQuick) this.#quickBatches -= 1;
    const waitMs = isQuick ? quickPauseMs : Math.max(0, batchPauseMs - restedMs);
    this.#timer = setTimeout(() => this.flush(), waitMs);
  }

  #save(withLines: boolean): void {
    const cursor: Cursor = {
      boot: this.#boot ?? '',
      seq: this.#seq,
      ...this.#offsets(),
      lines: withLines ? this.#kept : [],
    };
    try {
      replaceQuickly(this.#options.cursorFile, JSON.stringify(cursor));
      this.#isSaveFailing = false;
    } catch (error) {
      if (this.#isSaveFailing) return; // logged once per failure
      this.#isSaveFailing = true;
      this.#options.log.warn(
        { instance: this.#options.instance, err: error },
        'the position in the console output cannot be saved',
      );
    }
  }

  #read(): Cursor | null {
    try {
      const value: unknown = JSON.parse(readFileSync(this.#options.cursorFile, 'utf8'));
      return isCursor(value) ? value : null;
    } catch {
      return null; // missing before the first start, empty after a power loss: numbering restarts
    }
  }
}

function* batches(lines: string[]): Generator<string[]> {
  let batch: string[] = [];
  let bytes = 0;
  for (const line of lines) {
    const length = Buffer.byteLength(line);
    if (batch.length > 0 && (batch.length === maxBatchLines || bytes + length > maxBatchBytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(line);
    bytes += length;
  }
  if (batch.length > 0) yield batch;
}

function isCursor(value: unknown): value is Cursor {
  if (typeof value !== 'object' || value === null) return false;
  const fields = new Map<string, unknown>(Object.entries(value));
  return (
    typeof fields.get('boot') === 'string' &&
    ['seq', 'stdout', 'stderr'].every((name) => Number.isSafeInteger(fields.get(name))) &&
    Array.isArray(fields.get('lines'))
  );
}
