// A bounded buffer of heartbeats that wait to be stored: in order per host, the oldest dropped first.
import type { ReceivedHeartbeat } from './reports.ts';

export interface WaitingHeartbeat extends ReceivedHeartbeat {
  /** When it was received, by the monotonic clock. */
  receivedMs: number;
}

export interface WaitingBounds {
  /** Maximum per host; its newest is always kept. */
  maxPerHost: number;
  /** Maximum instance reports of all hosts together; beyond it, each host keeps only its newest heartbeat. */
  maxReports: number;
}

/** Ten minutes of a host that reports every ten seconds, and about 100 MB in total. */
const defaultBounds: WaitingBounds = { maxPerHost: 60, maxReports: 100_000 };

export class WaitingHeartbeats {
  readonly #bounds: WaitingBounds;
  readonly #ofHosts = new Map<string, WaitingHeartbeat[]>();
  #size = 0;
  #reports = 0;

  constructor(bounds: WaitingBounds = defaultBounds) {
    this.#bounds = bounds;
  }

  get size(): number {
    return this.#size;
  }

  get hosts(): Iterable<string> {
    return this.#ofHosts.keys();
  }

  /** When the oldest was received, by the monotonic clock; infinity if the buffer is empty. */
  get oldestMs(): number {
    let oldestMs = Infinity;
    for (const [first] of this.#ofHosts.values())
      oldestMs = Math.min(oldestMs, first?.receivedMs ?? Infinity);
    return oldestMs;
  }

  /** Returns how many heartbeats were dropped to make room. */
  add(item: WaitingHeartbeat): number {
    const ofHost = this.#ofHosts.get(item.hostId) ?? [];
    this.#ofHosts.set(item.hostId, ofHost);
    ofHost.push(item);
    this.#count(item, 1);
    return this.#dropBeyond(ofHost);
  }

  /** Puts a batch back ahead of newer heartbeats; returns how many were dropped to make room. */
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

  /** Takes about that many out, or a few more: a host's heartbeats stay together. */
  takeSome(max: number): WaitingHeartbeat[] {
    const taken: WaitingHeartbeat[] = [];
    for (const [hostId, ofHost] of this.#ofHosts) {
      if (taken.length >= max) break;
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
