// What each host may send in a second: the rest is dropped unread, and a host that goes on regardless is reported.
import { LRUCache } from 'lru-cache';

export interface BudgetOptions {
  messagesPerSecond: number;
  bytesPerSecond: number;
  /** Called with a host that has sent too much for some seconds on end. */
  onFlood?: (hostId: string) => void;
}

interface Second {
  since: number;
  messages: number;
  bytes: number;
  /** Seconds before this one that were overdrawn, without a break. */
  overdrawn: number;
}

/** An agent that catches up after an outage may send too much for a moment. */
const patienceSeconds = 3;

export class HostBudgets {
  readonly #options: BudgetOptions;
  readonly #seconds = new LRUCache<string, Second>({ max: 10_000 });

  constructor(options: BudgetOptions) {
    this.#options = options;
  }

  /** Whether the host may still send that much in this second. */
  take(hostId: string, bytes: number, now = Date.now()): boolean {
    const second = this.#secondOf(hostId, now);
    second.messages += 1;
    second.bytes += bytes;
    return !this.#isOverdrawn(second);
  }

  #isOverdrawn({ messages, bytes }: Second): boolean {
    return messages > this.#options.messagesPerSecond || bytes > this.#options.bytesPerSecond;
  }

  #secondOf(hostId: string, now: number): Second {
    const last = this.#seconds.get(hostId);
    if (last !== undefined && now - last.since < 1_000) return last;
    const goesOn = last !== undefined && now - last.since < 2_000 && this.#isOverdrawn(last);
    const overdrawn = goesOn ? last.overdrawn + 1 : 0;
    const isFlood = overdrawn >= patienceSeconds;
    const second = { since: now, messages: 0, bytes: 0, overdrawn: isFlood ? 0 : overdrawn };
    this.#seconds.set(hostId, second);
    if (isFlood) this.#options.onFlood?.(hostId);
    return second;
  }
}
