// Follows the operations over the manager's socket: reconnects when it breaks, and resumes after the last line.
import type { components } from '../../../../generated/local-manager-events.d.ts';

type Schemas = components['schemas'];
export type Operation = Schemas['Operation'];
export type OperationKind = Schemas['OperationKind'];
export type OperationLine = Schemas['OperationLine'];
type Frame = Schemas['HelloFrame'] | Schemas['LinesFrame'] | Schemas['OperationFrame'];

export interface Feed {
  /** Whether the socket is open; `null` until it has been for the first time. */
  isOpen: boolean | null;
  /** The running operation, or else the last one. */
  operation: Operation | null;
  lines: readonly OperationLine[];
  /** Whether earlier lines are no longer stored. */
  isTruncated: boolean;
}

/** Opens a socket with the lines after `after`; returns the function that closes it. */
export type OpenSocket = (after: number, onText: (text: string) => void, onEnd: () => void) => () => void;

const maxLines = 5_000;
const firstPauseMs = 500;
const maxPauseMs = 8_000;

export class OperationsFeed {
  private readonly openSocket: OpenSocket;
  private readonly listeners = new Set<() => void>();
  private closeSocket: (() => void) | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private pauseMs = firstPauseMs;
  private boot: string | null = null;
  private feed: Feed = { isOpen: null, operation: null, lines: [], isTruncated: false };

  constructor(openSocket: OpenSocket) {
    this.openSocket = openSocket;
  }

  /** Both are passed to React as functions without their feed. */
  readonly current = (): Feed => this.feed;
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  open(): void {
    const after = this.feed.lines.at(-1)?.seq ?? 0;
    this.closeSocket = this.openSocket(
      after,
      (text) => this.take(JSON.parse(text) as Frame, after),
      () => {
        this.change({ isOpen: false });
        this.timer = setTimeout(() => this.open(), this.pauseMs);
        this.pauseMs = Math.min(this.pauseMs * 2, maxPauseMs);
      },
    );
  }

  close(): void {
    clearTimeout(this.timer);
    this.closeSocket?.();
    this.closeSocket = null;
  }

  private take(frame: Frame, askedAfter: number): void {
    switch (frame.type) {
      case 'hello':
        this.greet(frame, askedAfter);
        break;
      case 'lines':
        this.addLines(frame);
        break;
      case 'operation':
        this.change({ operation: frame.operation });
        break;
    }
  }

  private greet({ boot, operation }: Schemas['HelloFrame'], askedAfter: number): void {
    this.pauseMs = firstPauseMs;
    const isAnotherStart = this.boot !== null && this.boot !== boot;
    this.boot = boot;
    if (!isAnotherStart) {
      this.change({ isOpen: true, operation });
      return;
    }
    this.change({ isOpen: true, operation, lines: [], isTruncated: false });
    if (askedAfter === 0) return;
    // The manager has restarted and numbers its lines from one: the requested position is wrong.
    this.close();
    this.open();
  }

  private addLines({ lines, isTruncated }: Schemas['LinesFrame']): void {
    const last = this.feed.lines.at(-1)?.seq ?? 0;
    const fresh = lines.filter(({ seq }) => seq > last);
    const all = [...this.feed.lines, ...fresh];
    this.change({
      lines: all.slice(-maxLines),
      isTruncated: this.feed.isTruncated || isTruncated || all.length > maxLines,
    });
  }

  private change(change: Partial<Feed>): void {
    this.feed = { ...this.feed, ...change };
    for (const listener of this.listeners) listener();
  }
}
