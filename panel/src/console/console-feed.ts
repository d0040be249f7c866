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
  | Frames['ConsoleInputResultFrame'];

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

const maxLines = 100_000;
const firstWaitMs = 1_000;
const maxWaitMs = 20_000;
/** The session may not open the console any more, or the server is gone. */
const finalCodes = [4401, 4404];

export class ConsoleFeed {
  /** Grows at its end and loses lines at its start, in place. */
  readonly lines: ConsoleLine[] = [];
  /** Lines that were lost so far. */
  dropped = 0;
  status: FeedStatus = 'connecting';
  mayInput = false;
  isTruncated = false;
  closeReason = '';
  readonly #options: FeedOptions;
  readonly #left = new AbortController();
  #socket: WebSocket | undefined;
  #waitMs = firstWaitMs;
  /** The last line of each run, so that a reconnection repeats none. */
  #lastSeq = new Map<string, number>();
  #boot: string | undefined;
  #nextKey = 0;
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
    this.#drop(this.lines.length);
    this.#changed();
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

  #lose(code: number | undefined, reason: string): void {
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
      case 'input_result':
        if (!frame.ok) this.#note(words.refused(frame.detail ?? frame.code ?? ''));
        break;
    }
    this.#changed();
  }

  #append({ boot, lines, truncated }: Frames['ConsoleLinesFrame']): void {
    if (truncated === true && this.lines.length === 0) this.isTruncated = true;
    if (this.#boot !== undefined && this.#boot !== boot && lines.length > 0)
      this.#note(this.#options.words.restarted);
    this.#boot = boot;
    const last = this.#lastSeq.get(boot) ?? -1;
    for (const { seq, at, stream, text, by } of lines) {
      if (seq <= last) continue;
      this.lines.push({ key: this.#nextKey++, at, stream, text, ...(by !== undefined && { by }) });
      this.#lastSeq.set(boot, seq);
    }
    if (this.lines.length <= maxLines) return;
    this.#drop(this.lines.length - maxLines);
    this.isTruncated = true;
  }

  #drop(count: number): void {
    this.lines.splice(0, count);
    this.dropped += count;
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
