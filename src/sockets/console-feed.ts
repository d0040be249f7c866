// Distributes the console lines of each instance from the bus to all its watchers on this replica.
import type { Subscription } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import type { Bus } from '../bus/bus.ts';
import { MessageBudgets } from '../bus/message-budgets.ts';
import { BadMessage, type Reader } from '../bus/messages.ts';
import type { BusSchemas } from '../platform-contract/bus-types.ts';
import { ThrottledLogger } from '../process/throttled-logger.ts';

export type ConsoleBatch = BusSchemas['ConsoleBatch'];

interface Channel {
  subscription: Subscription;
  watchers: Set<(batch: ConsoleBatch) => void>;
}

/**
 * Budgets per second for one console and for all consoles of a host; messages beyond them are dropped and show as a
 * gap.
 */
const ofOneInstance = { messagesPerSecond: 1_000, bytesPerSecond: 4 * 1024 * 1024 };
const ofOneHost = { messagesPerSecond: 4_000, bytesPerSecond: 16 * 1024 * 1024 };

export class ConsoleFeed {
  readonly #bus: Bus;
  readonly #log: Logger;
  readonly #read: Reader<ConsoleBatch>;
  readonly #ofInstances = new MessageBudgets(ofOneInstance);
  readonly #ofHosts = new MessageBudgets(ofOneHost);
  readonly #throttled = new ThrottledLogger();
  readonly #channels = new Map<string, Channel>();

  constructor(bus: Bus, log: Logger) {
    this.#bus = bus;
    this.#log = log;
    this.#read = bus.messages.reader('ConsoleBatch');
  }

  /** Calls `watcher` with every batch from now on. Returns the function that unsubscribes it. */
  watch(hostId: string, instance: string, watcher: (batch: ConsoleBatch) => void): () => void {
    const subject = this.#bus.subjects.console(hostId, instance);
    const channel = this.#channels.get(subject) ?? this.#open(subject, hostId, instance);
    channel.watchers.add(watcher);
    return () => {
      channel.watchers.delete(watcher);
      if (channel.watchers.size > 0 || this.#channels.get(subject) !== channel) return;
      this.#channels.delete(subject);
      channel.subscription.unsubscribe();
    };
  }

  #open(subject: string, hostId: string, instance: string): Channel {
    const watchers = new Set<(batch: ConsoleBatch) => void>();
    const subscription = this.#bus.subscribe(
      subject,
      ({ data }) => {
        if (!this.#ofInstances.take(subject, data.byteLength)) return;
        if (!this.#ofHosts.take(hostId, data.byteLength)) return;
        const batch = this.#batchOf(data, hostId, instance);
        if (batch === undefined) return;
        for (const watcher of watchers) watcher(batch);
      },
      { lane: 'consoles' },
    );
    const channel = { subscription, watchers };
    this.#channels.set(subject, channel);
    return channel;
  }

  #batchOf(data: Uint8Array, hostId: string, instance: string): ConsoleBatch | undefined {
    try {
      const batch = this.#read(data);
      return batch.instance === instance ? batch : undefined;
    } catch (error) {
      if (!(error instanceof BadMessage)) throw error;
      const { message } = error;
      this.#throttled.once(hostId, () =>
        this.#log.warn({ host_id: hostId, instance, reason: message }, 'console lines were refused'),
      );
      return undefined;
    }
  }
}
