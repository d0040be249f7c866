// The newest events of licenses whose log is followed: read once per process, for all followers.
import type { Logger } from 'pino';
import { isSamePosition, type Position } from '../../events/cursor.ts';
import { positionOfRow } from './index.ts';
import type { MeasuredEvent } from './next-events.ts';

export interface LogEnd {
  licenseId: string;
  position: Position;
}

export interface TailParts {
  /** The ends of the logs of these licenses; those without events are left out. */
  ends: (licenseIds: string[]) => Promise<LogEnd[]>;
  /** The next events of a license, of every type; undefined if its log does not have the position any more. */
  read: (licenseId: string, after: Position) => Promise<MeasuredEvent[] | undefined>;
  log: Logger;
  pollMs?: number;
}

/**
 * Events kept in memory for each license, and the size of their data. A follower further behind reads the log from the
 * database.
 */
const maxKept = 1_000;
const maxKeptBytes = 2_097_152;
const defaultPollMs = 200;

interface Followed {
  /** The position before the first kept event; undefined until the first poll that finds events. */
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

  /**
   * The kept events after the position; undefined if some of them are not kept. The position itself must be kept: the
   * same number may belong to an event of a log that was replaced.
   */
  after(licenseId: string, position: Position): MeasuredEvent[] | undefined {
    const known = this.#licenses.get(licenseId);
    if (known?.start === undefined) return undefined;
    if (isSamePosition(known.start, position)) return known.events;
    const index = known.events.findIndex(({ seq }) => seq === position.seq);
    const found = known.events[index];
    if (found === undefined || !isSamePosition(positionOfRow(found), position)) return undefined;
    return known.events.slice(index + 1);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#isStopped || this.#licenses.size === 0) return;
    this.#timer = setTimeout(() => void this.#poll(), this.#parts.pollMs ?? defaultPollMs).unref();
  }

  async #poll(): Promise<void> {
    try {
      const licenseIds = [...this.#licenses.keys()];
      const ends = new Map(
        (await this.#parts.ends(licenseIds)).map(({ licenseId, position }) => [licenseId, position]),
      );
      // The next poll starts once all reads have ended: two reads from one position would keep its events twice.
      const reads = await Promise.allSettled(
        licenseIds.map((licenseId) => this.#catchUp(licenseId, ends.get(licenseId))),
      );
      const failure = reads.find((read) => read.status === 'rejected');
      if (failure !== undefined) throw failure.reason;
    } catch (error) {
      // Followers continue once the database is back: their positions are their own.
      this.#parts.log.warn({ err: error }, 'the event log could not be read for its followers');
    } finally {
      this.#timer = undefined;
      this.#schedule();
    }
  }

  async #catchUp(licenseId: string, end: Position | undefined): Promise<void> {
    const known = this.#licenses.get(licenseId);
    if (known === undefined || (known.start === undefined && end === undefined)) return;
    if (known.start !== undefined && end !== undefined && (await this.#takeNext(licenseId, known, end)))
      return;
    // The first poll, or a sandbox was reset or a database restored: the log has none of the kept events any more.
    known.start = end;
    known.events = [];
    wakeAll(known);
  }

  /** Keeps the events up to the end. Returns false if the log does not have the events that are kept any more. */
  async #takeNext(licenseId: string, known: Followed, end: Position): Promise<boolean> {
    const newest = known.events.at(-1);
    let position = newest === undefined ? known.start : positionOfRow(newest);
    if (position === undefined || position.seq > end.seq) return false;
    if (position.seq === end.seq) return isSamePosition(position, end);
    while (position.seq < end.seq) {
      const events = await this.#parts.read(licenseId, position);
      const last = events?.at(-1);
      if (events === undefined) return false;
      if (last === undefined) return true;
      position = positionOfRow(last);
      known.events.push(...events);
      const surplus = known.events.splice(0, surplusOf(known.events)).at(-1);
      if (surplus !== undefined) known.start = positionOfRow(surplus);
      wakeAll(known);
    }
    return true;
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
