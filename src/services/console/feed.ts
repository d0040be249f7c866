// Brings one instance's console lines from the bus to everybody who watches it on this replica.
import type { Subscription } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import type { Bus } from '../../bus/bus.ts';
import { BadMessage, type BusSchemas, type Reader } from '../../bus/messages.ts';

export type ConsoleBatch = BusSchemas['ConsoleBatch'];

interface Channel {
  subscription: Subscription;
  watchers: Set<(batch: ConsoleBatch) => void>;
}

export class ConsoleFeed {
  readonly #bus: Bus;
  readonly #log: Logger;
  readonly #read: Reader<ConsoleBatch>;
  readonly #channels = new Map<string, Channel>();

  constructor(bus: Bus, log: Logger) {
    this.#bus = bus;
    this.#log = log;
    this.#read = bus.messages.reader('ConsoleBatch');
  }

  /** Calls `watcher` with every batch from now on, until the function it answers is called. */
  watch(hostId: string, instance: string, watcher: (batch: ConsoleBatch) => void): () => void {
    const subject = this.#bus.subjects.console(hostId, instance);
    const channel = this.#channels.get(subject) ?? this.#open(subject, instance);
    channel.watchers.add(watcher);
    return () => {
      channel.watchers.delete(watcher);
      if (channel.watchers.size > 0 || this.#channels.get(subject) !== channel) return;
      this.#channels.delete(subject);
      channel.subscription.unsubscribe();
    };
  }

  #open(subject: string, instance: string): Channel {
    const watchers = new Set<(batch: ConsoleBatch) => void>();
    const budget = { since: 0, bytes: 0 };
    const subscription = this.#bus.subscribe(subject, ({ data }) => {
      if (!isWithin(budget, data.byteLength)) return;
      const batch = this.#batchOf(data, instance);
      if (batch === undefined) return;
      for (const watcher of watchers) watcher(batch);
    });
    const channel = { subscription, watchers };
    this.#channels.set(subject, channel);
    return channel;
  }

  #batchOf(data: Uint8Array, instance: string): ConsoleBatch | undefined {
    try {
      const batch = this.#read(data);
      return batch.instance === instance ? batch : undefined;
    } catch (error) {
      if (!(error instanceof BadMessage)) throw error;
      this.#log.warn({ instance, reason: error.message }, 'console lines were refused');
      return undefined;
    }
  }
}

/** What an agent may send of one console in a second; the rest is not read, and shows as a gap. */
const bytesPerSecond = 4 * 1024 * 1024;

function isWithin(budget: { since: number; bytes: number }, bytes: number): boolean {
  const now = Date.now();
  if (now - budget.since >= 1_000) Object.assign(budget, { since: now, bytes: 0 });
  budget.bytes += bytes;
  return budget.bytes <= bytesPerSecond;
}
