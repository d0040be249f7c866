// Limits what each sender may send per second: excess messages are dropped unread, and floods are reported.
import { growingCache } from '../process/growing-cache.ts';

export interface BudgetOptions {
  messagesPerSecond: number;
  bytesPerSecond: number;
  /** Called with a sender that has exceeded its budget for several seconds in a row. */
  onFlood?: (sender: string) => void;
}

interface Second {
  since: number;
  messages: number;
  bytes: number;
  /** Number of consecutive seconds before this one that exceeded the budget. */
  overdrawn: number;
}

/** An agent that catches up after an outage may briefly send too much. */
const patienceSeconds = 3;

export class MessageBudgets {
  readonly #options: BudgetOptions;
  readonly #seconds = growingCache<Second>({ maxEntries: 10_000 });

  constructor(options: BudgetOptions) {
    this.#options = options;
  }

  /** Whether the sender, for example a host, has budget left in this second for that many bytes. */
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
