// The live console of one server: a WebSocket that reconnects, and the lines that it brought.
import type { ConsoleLine } from '@gantry/ui/console-line.ts';
import type { components } from '../../../generated/console.d.ts';
import type { WriteReply } from '../api/operations.ts';

type Frames = components['schemas'];
type Frame =
  | Frames['ConsoleHelloFrame']
  | Frames['ConsoleLinesFrame']
  | Frames['ConsoleGapFrame']
  | Frames['ConsoleUnavailableFrame']
  | Frames['ConsoleInputResultFrame']
  | Frames['ConsoleHistoryFrame'];

/** A line of the server; remarks of the page have no run and no number. */
interface FeedLine extends ConsoleLine {
  key: number;
  boot?: string;
  seq?: number;
}

export type ConsoleTicket = WriteReply<'POST /api/instances/{instance_id}/console-tickets'>;

export type FeedStatus = 'connecting' | 'live' | 'lost' | 'closed';

/** Sentences that the console says itself, in the viewer's language. */
export interface FeedWords {
  gap: (count: number) => string;
  restarted: string;
  unavailable: (reason: string) => string;
  refused: (reason: string) => string;
}

interface FeedOptions {
  /** Requests a ticket, which opens one WebSocket. */
  ticket: (signal: AbortSignal) => Promise<ConsoleTicket>;
  words: FeedWords;
  /** Called at most once a frame. */
  onChange: () => void;
}

/** Whether lines before the first one can be loaded: `some` until the agent says that there are none. */
export type Earlier = 'some' | 'loading' | 'none';

const maxLines = 100_000;
/** As many lines as one reply can have. */
const historyLines = 500;
/** The platform carries out 20 requests a second. */
const historyPauseMs = 60;
const firstWaitMs = 1_000;
const maxWaitMs = 20_000;
/** The session may not open the console any more, or the server is gone. */
const finalCodes = [4401, 4404];

export class ConsoleFeed {
  /** Grows at both ends and loses lines at its start, in place. */
  readonly lines: FeedLine[] = [];
  /** Lines that were lost at the start, less those that were added there. */
  dropped = 0;
  earlier: Earlier = 'some';
  /** Why earlier lines could not be loaded. */
  earlierFault = '';
  status: FeedStatus = 'connecting';
  mayInput = false;
  closeReason = '';
  readonly #options: FeedOptions;
  readonly #left = new AbortController();
  #socket: WebSocket | undefined;
  #waitMs = firstWaitMs;
  /** The last line of each run, so that a reconnection repeats none. */
  #lastSeq = new Map<string, number>();
  #boot: string | undefined;
  #nextKey = 0;
  #firstKey = 0;
  /** Where earlier lines end while none is shown. */
  #cleared: Pick<FeedLine, 'boot' | 'seq'> = {};
  #endLoading: ((hasLines: boolean) => void) | undefined;
  #isScheduled = false;

  constructor(options: FeedOptions) {
    this.#options = options;
    void this.#connect();
  }

  close(): void {
    this.#left.abort();
    this.#socket?.close();
  }

  clear(): void {
    const last = this.lines.findLast(({ boot }) => boot !== undefined);
    if (last?.boot !== undefined && last.seq !== undefined)
      this.#cleared = { boot: last.boot, seq: last.seq + 1 };
    this.#drop(this.lines.length);
    this.#changed();
  }

  /** Whether the view has no room for earlier lines. */
  get isFull(): boolean {
    return this.lines.length + historyLines > maxLines;
  }

  /** Adds lines before the first one. Resolves to whether there were any. */
  loadEarlier(): Promise<boolean> {
    if (this.earlier !== 'some' || this.isFull || this.#socket?.readyState !== WebSocket.OPEN)
      return Promise.resolve(false);
    const { boot, seq } = this.lines.find((line) => line.boot !== undefined) ?? this.#cleared;
    this.earlier = 'loading';
    this.earlierFault = '';
    this.#socket.send(
      JSON.stringify({ type: 'history', ...(boot !== undefined && { boot, before_seq: seq }) }),
    );
    this.#changed();
    return new Promise((resolve) => (this.#endLoading = resolve));
  }

  /** False if nothing can be sent now. */
  send(line: string): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify({ type: 'input', line }));
    return true;
  }

  async #connect(): Promise<void> {
    const { signal } = this.#left;
    try {
      const { url } = await this.#options.ticket(signal);
      if (signal.aborted) return;
      const socket = new WebSocket(new URL(url, window.location.origin.replace(/^http/, 'ws')));
      this.#socket = socket;
      socket.addEventListener('message', ({ data }: MessageEvent<string>) =>
        this.#take(JSON.parse(data) as Frame),
      );
      socket.addEventListener('close', ({ code, reason }) => this.#lose(code, reason), { once: true });
    } catch (error) {
      if (!signal.aborted) this.#lose(undefined, (error as Error).message);
    }
  }

  /** Loads earlier lines until one is wanted; resolves to the key of the newest one that is. */
  async findEarlier(isWanted: (line: ConsoleLine) => boolean): Promise<number | undefined> {
    for (;;) {
      const before = this.dropped;
      if (!(await this.loadEarlier())) return undefined;
      const found = this.lines.slice(0, before - this.dropped).findLast(isWanted);
      if (found !== undefined) return found.key;
      await new Promise((resolve) => setTimeout(resolve, historyPauseMs));
    }
  }

  #lose(code: number | undefined, reason: string): void {
    if (this.earlier === 'loading') this.#endEarlier('some', false);
    if (this.#left.signal.aborted) return;
    const isFinal = code !== undefined && finalCodes.includes(code);
    this.status = isFinal ? 'closed' : 'lost';
    this.closeReason = reason;
    this.#changed();
    if (isFinal) return;
    // Many consoles that lose one server do not return at the same instant.
    const wait = this.#waitMs * (0.5 + Math.random() / 2);
    this.#waitMs = Math.min(this.#waitMs * 2, maxWaitMs);
    const timer = setTimeout(() => void this.#connect(), wait);
    this.#left.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  }

  #take(frame: Frame): void {
    const { words } = this.#options;
    switch (frame.type) {
      case 'hello':
        this.status = 'live';
        this.#waitMs = firstWaitMs;
        this.mayInput = frame.may_input;
        break;
      case 'lines':
        this.#append(frame);
        break;
      case 'gap':
        this.#note(words.gap(frame.before_seq - frame.after_seq - 1));
        break;
      case 'unavailable':
        this.#note(words.unavailable(frame.detail));
        break;
      case 'history':
        this.#prepend(frame);
        break;
      case 'input_result':
        if (!frame.ok) this.#note(words.refused(frame.detail ?? frame.code ?? ''));
        break;
    }
    this.#changed();
  }

  #append({ boot, lines }: Frames['ConsoleLinesFrame']): void {
    if (this.#boot !== undefined && this.#boot !== boot && lines.length > 0)
      this.#note(this.#options.words.restarted);
    this.#boot = boot;
    const last = this.#lastSeq.get(boot) ?? -1;
    for (const { seq, at, stream, text, by } of lines) {
      if (seq <= last) continue;
      this.lines.push({ key: this.#nextKey++, at, stream, text, boot, seq, ...(by !== undefined && { by }) });
      this.#lastSeq.set(boot, seq);
    }
    if (this.lines.length > maxLines) this.#drop(this.lines.length - maxLines);
  }

  #prepend({ ok, boot, lines, has_earlier, detail = '' }: Frames['ConsoleHistoryFrame']): void {
    if (this.earlier !== 'loading') return;
    if (!ok) {
      this.earlierFault = detail;
      this.#endEarlier('some', false);
      return;
    }
    const former = this.lines.find((line) => line.boot !== undefined)?.boot ?? this.#cleared.boot;
    const added: FeedLine[] = lines.map(({ seq, at, stream, text, by }) => ({
      key: 0,
      at,
      stream,
      text,
      seq,
      ...(boot !== undefined && { boot }),
      ...(by !== undefined && { by }),
    }));
    if (former !== undefined && boot !== undefined && boot !== former)
      added.push({ key: 0, at: '', stream: 'note', text: this.#options.words.restarted });
    this.#firstKey -= added.length;
    for (const [index, line] of added.entries()) line.key = this.#firstKey + index;
    this.lines.unshift(...added);
    this.dropped -= added.length;
    this.#endEarlier(has_earlier ? 'some' : 'none', added.length > 0);
  }

  #endEarlier(earlier: Earlier, hasLines: boolean): void {
    this.earlier = earlier;
    this.#endLoading?.(hasLines);
    this.#endLoading = undefined;
  }

  #drop(count: number): void {
    if (count === 0) return;
    this.lines.splice(0, count);
    this.dropped += count;
    // What was lost here can be loaded again.
    if (this.earlier === 'none') this.earlier = 'some';
  }

  #note(text: string): void {
    this.lines.push({ key: this.#nextKey++, at: '', stream: 'note', text });
  }

  /** A flood of lines is shown frame by frame. */
  #changed(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    requestAnimationFrame(() => {
      this.#isScheduled = false;
      if (!this.#left.signal.aborted) this.#options.onChange();
    });
  }
}
