// What each sender may send in a second: the rest is dropped unread, and a sender that floods is reported.
import { LRUCache } from 'lru-cache';

export interface BudgetOptions {
  messagesPerSecond: number;
  bytesPerSecond: number;
  /** Called with a sender that has sent too much for some seconds on end. */
  onFlood?: (sender: string) => void;
}

interface Second {
  since: number;
  messages: number;
  bytes: number;
  /** Consecutive seconds before this one that were overdrawn. */
  overdrawn: number;
}

/** An agent that catches up after an outage may send too much for a moment. */
const patienceSeconds = 3;

export class MessageBudgets {
  readonly #options: BudgetOptions;
  readonly #seconds = new LRUCache<string, Second>({ max: 10_000 });

  constructor(options: BudgetOptions) {
    this.#options = options;
  }

  /** Whether the sender, a host for example, may still send that much in this second. */
  take(sender: string, bytes: number, now = Date.now()): boolean {
    const second = this.#secondOf(sender, now);
    second.messages += 1;
    second.bytes += bytes;
    return !this.#isOverdrawn(second);
  }

  #isOverdrawn({ messages, bytes }: Second): boolean {
    return messages > this.#options.messagesPerSecond || bytes > this.#options.bytesPerSecond;
  }

  #secondOf(sender: string, now: number): Second {
    const last = this.#seconds.get(sender);
    if (last !== undefined && now - last.since < 1_000) return last;
    const goesOn = last !== undefined && now - last.since < 2_000 && this.#isOverdrawn(last);
    const overdrawn = goesOn ? last.overdrawn + 1 : 0;
    const isFlood = overdrawn >= patienceSeconds;
    const second = { since: now, messages: 0, bytes: 0, overdrawn: isFlood ? 0 : overdrawn };
    this.#seconds.set(sender, second);
    if (isFlood) this.#options.onFlood?.(sender);
    return second;
  }
}
