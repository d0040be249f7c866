// The newest events of licenses whose log is followed: read once per process, for all followers.
import type { Logger } from 'pino';
import type { Position } from '../../events/cursor.ts';
import { positionOfRow } from './index.ts';
import type { MeasuredEvent } from './next-events.ts';

export interface LogEnd {
  licenseId: string;
  position: Position;
}

export interface TailParts {
  /** The ends of the logs of these licenses; those without events are left out. */
  ends: (licenseIds: string[]) => Promise<LogEnd[]>;
  /** The next events of a license, of every type. */
  read: (licenseId: string, after: Position) => Promise<MeasuredEvent[]>;
  log: Logger;
  pollMs?: number;
}

/** Events kept in memory for each license, and the size of their data. Who is further behind reads the log. */
const maxKept = 1_000;
const maxKeptBytes = 2_097_152;
const usualPollMs = 200;

interface Followed {
  /** The position before the first kept event; undefined until the first poll. */
  start: Position | undefined;
  events: MeasuredEvent[];
  followers: Set<() => void>;
}

export class EventTail {
  readonly #parts: TailParts;
  readonly #licenses = new Map<string, Followed>();
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(parts: TailParts) {
    this.#parts = parts;
  }

  /** Calls `wake` when the license has news, until the returned function is called. */
  follow(licenseId: string, wake: () => void): () => void {
    const known = this.#licenses.get(licenseId) ?? { start: undefined, events: [], followers: new Set() };
    this.#licenses.set(licenseId, known);
    known.followers.add(wake);
    this.#schedule();
    return () => {
      known.followers.delete(wake);
      if (known.followers.size === 0 && this.#licenses.get(licenseId) === known)
        this.#licenses.delete(licenseId);
    };
  }

  /** The kept events after the position; undefined if some of them are not kept. */
  after(licenseId: string, { seq }: Position): MeasuredEvent[] | undefined {
    const known = this.#licenses.get(licenseId);
    if (known?.start === undefined || seq < known.start.seq) return undefined;
    return known.events.filter((event) => event.seq > seq);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#isStopped || this.#licenses.size === 0) return;
    this.#timer = setTimeout(() => void this.#poll(), this.#parts.pollMs ?? usualPollMs).unref();
  }

  async #poll(): Promise<void> {
    try {
      const ends = await this.#parts.ends([...this.#licenses.keys()]);
      await Promise.all(ends.map((end) => this.#catchUp(end)));
    } catch (error) {
      // Followers continue once the database is back: their positions are their own.
      this.#parts.log.warn({ err: error }, 'the event log could not be read for its followers');
    } finally {
      this.#timer = undefined;
      this.#schedule();
    }
  }

  async #catchUp({ licenseId, position: end }: LogEnd): Promise<void> {
    const known = this.#licenses.get(licenseId);
    if (known === undefined) return;
    if (known.start === undefined) {
      known.start = end;
      wakeAll(known);
      return;
    }
    for (;;) {
      const last = known.events.at(-1);
      const position = last === undefined ? known.start : positionOfRow(last);
      if (position.seq >= end.seq) return;
      const events = await this.#parts.read(licenseId, position);
      if (events.length === 0) return;
      known.events.push(...events);
      const surplus = known.events.splice(0, surplusOf(known.events)).at(-1);
      if (surplus !== undefined) known.start = positionOfRow(surplus);
      wakeAll(known);
    }
  }
}

/** How many of the first events are not kept. */
function surplusOf(events: readonly MeasuredEvent[]): number {
  let bytes = 0;
  const isTooMuch = ({ size }: MeasuredEvent) => (bytes += size) > maxKeptBytes;
  return Math.max(events.length - maxKept, events.findLastIndex(isTooMuch) + 1);
}

function wakeAll({ followers }: Followed): void {
  for (const wake of followers) wake();
}
