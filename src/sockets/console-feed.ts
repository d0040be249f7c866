// Distributes the console lines of each instance from the bus to all its watchers on this replica.
import type { Subscription } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import type { Bus } from '../bus/bus.ts';
import { MessageBudgets } from '../bus/message-budgets.ts';
import { BadMessage, type Reader } from '../bus/messages.ts';
import type { BusSchemas } from '../platform-contract/bus-types.ts';
import { ThrottledLogger } from '../process/throttled-logger.ts';
import { ConsoleBudget, type Credit } from './console-budget.ts';
import { ConsoleLines, newestLines } from './console-lines.ts';

export type ConsoleBatch = BusSchemas['ConsoleBatch'];

export type Watcher = (lines: ConsoleLines) => void;

interface Channel {
  subscription: Subscription;
  watchers: Set<Watcher>;
  credit: Credit;
  /** Messages that are not sent yet, oldest first. Only those that are sent are parsed. */
  waiting: Uint8Array[];
  waitingBytes: number;
  sentAt: number;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Budgets per second for one console and for all consoles of a host; messages beyond them are dropped and show as a
 * gap.
 */
const ofOneInstance = { messagesPerSecond: 1_000, bytesPerSecond: 4 * 1024 * 1024 };
const ofOneHost = { messagesPerSecond: 4_000, bytesPerSecond: 16 * 1024 * 1024 };
/** Of one console. Of more, the oldest messages are dropped. */
const maxWaitingBytes = 1024 * 1024;

export class ConsoleFeed {
  readonly #bus: Bus;
  readonly #log: Logger;
  readonly #read: Reader<ConsoleBatch>;
  readonly #ofInstances = new MessageBudgets(ofOneInstance);
  readonly #ofHosts = new MessageBudgets(ofOneHost);
  readonly #throttled = new ThrottledLogger();
  readonly #channels = new Map<string, Channel>();
  readonly #budget = new ConsoleBudget();

  constructor(bus: Bus, log: Logger) {
    this.#bus = bus;
    this.#log = log;
    this.#read = bus.messages.reader('ConsoleBatch');
  }

  /** Calls `watcher` with the lines from now on. Returns the function that unsubscribes it. */
  watch(hostId: string, instance: string, watcher: Watcher): () => void {
    const subject = this.#bus.subjects.console(hostId, instance);
    const channel = this.#channels.get(subject) ?? this.#open(subject, hostId, instance);
    channel.watchers.add(watcher);
    this.#budget.watchers += 1;
    return () => {
      if (!channel.watchers.delete(watcher)) return;
      this.#budget.watchers -= 1;
      if (channel.watchers.size > 0 || this.#channels.get(subject) !== channel) return;
      this.#channels.delete(subject);
      clearTimeout(channel.timer);
      channel.subscription.unsubscribe();
    };
  }

  #open(subject: string, hostId: string, instance: string): Channel {
    const receive = (data: Uint8Array) => {
      if (!this.#ofInstances.take(subject, data.byteLength)) return;
      if (!this.#ofHosts.take(hostId, data.byteLength)) return;
      channel.waiting.push(data);
      channel.waitingBytes += data.byteLength;
      while (channel.waitingBytes > maxWaitingBytes)
        channel.waitingBytes -= channel.waiting.shift()?.byteLength ?? 0;
      if (channel.timer !== undefined) return;
      const restMs = channel.sentAt + this.#budget.pauseMs - performance.now();
      if (restMs <= 0) send();
      else channel.timer = setTimeout(send, restMs);
    };
    const send = () => {
      channel.timer = undefined;
      this.#send(channel, hostId, instance);
    };
    const channel: Channel = {
      subscription: this.#bus.subscribe(subject, ({ data }) => receive(data), { lane: 'consoles' }),
      watchers: new Set(),
      credit: this.#budget.newCredit(),
      waiting: [],
      waitingBytes: 0,
      sentAt: -Infinity,
      timer: undefined,
    };
    this.#channels.set(subject, channel);
    return channel;
  }

  /** Sends the newest lines that wait, as many as the budget allows. */
  #send(channel: Channel, hostId: string, instance: string): void {
    const { watchers, credit } = channel;
    const messages = channel.waiting;
    channel.waiting = [];
    channel.waitingBytes = 0;
    channel.sentAt = performance.now();
    const { batches, bytes } = newestLines(messages, this.#budget.allowed(credit, watchers.size), (data) =>
      this.#batchOf(data, hostId, instance),
    );
    this.#budget.take(credit, bytes, watchers.size);
    for (const { boot, lines } of batches) {
      const sent = new ConsoleLines(boot, lines);
      for (const watcher of watchers) watcher(sent);
    }
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
