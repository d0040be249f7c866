// Keeps heartbeats that wait to be stored, within bounds: those of a host in their order, the oldest dropped first.
import type { ReceivedHeartbeat } from './reports.ts';

export interface WaitingHeartbeat extends ReceivedHeartbeat {
  /** When it was received, by a clock that nobody sets. */
  receivedMs: number;
}

export interface WaitingBounds {
  /** Of one host; its newest is always kept. */
  maxPerHost: number;
  /** Reports of instances, of all hosts together; beyond them each host has its newest heartbeat only. */
  maxReports: number;
}

/** Ten minutes of a host that reports every ten seconds, and some 100 MB. */
const usualBounds: WaitingBounds = { maxPerHost: 60, maxReports: 100_000 };

export class WaitingHeartbeats {
  readonly #bounds: WaitingBounds;
  readonly #ofHosts = new Map<string, WaitingHeartbeat[]>();
  #size = 0;
  #reports = 0;

  constructor(bounds: WaitingBounds = usualBounds) {
    this.#bounds = bounds;
  }

  get size(): number {
    return this.#size;
  }

  get hosts(): Iterable<string> {
    return this.#ofHosts.keys();
  }

  /** When the oldest of them was received, by a clock that nobody sets; infinity when there is none. */
  get oldestMs(): number {
    let oldestMs = Infinity;
    for (const [first] of this.#ofHosts.values())
      oldestMs = Math.min(oldestMs, first?.receivedMs ?? Infinity);
    return oldestMs;
  }

  /** Answers how many were dropped for it. */
  add(item: WaitingHeartbeat): number {
    const ofHost = this.#ofHosts.get(item.hostId) ?? [];
    this.#ofHosts.set(item.hostId, ofHost);
    ofHost.push(item);
    this.#count(item, 1);
    return this.#dropBeyond(ofHost);
  }

  /** Puts back what was taken, before what has come since; answers how many were dropped for it. */
  putBack(batch: readonly WaitingHeartbeat[]): number {
    let dropped = 0;
    for (const [hostId, items] of Map.groupBy(batch, (item) => item.hostId)) {
      const ofHost = [...items, ...(this.#ofHosts.get(hostId) ?? [])];
      this.#ofHosts.set(hostId, ofHost);
      for (const item of items) this.#count(item, 1);
      dropped += this.#dropBeyond(ofHost);
    }
    return dropped;
  }

  /** Takes so many out, or a few more: all of a host that wait go together. */
  takeSome(most: number): WaitingHeartbeat[] {
    const taken: WaitingHeartbeat[] = [];
    for (const [hostId, ofHost] of this.#ofHosts) {
      if (taken.length >= most) break;
      this.#ofHosts.delete(hostId);
      for (const item of ofHost) this.#count(item, -1);
      taken.push(...ofHost);
    }
    return taken;
  }

  #dropBeyond(ofHost: WaitingHeartbeat[]): number {
    const { maxPerHost, maxReports } = this.#bounds;
    let dropped = 0;
    while (ofHost.length > maxPerHost || (ofHost.length > 1 && this.#reports > maxReports)) {
      const oldest = ofHost.shift();
      if (oldest === undefined) break;
      this.#count(oldest, -1);
      dropped += 1;
    }
    return dropped;
  }

  #count({ beat }: ReceivedHeartbeat, sign: 1 | -1): void {
    this.#size += sign;
    this.#reports += sign * beat.instances.length;
  }
}
