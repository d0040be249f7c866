// Publishes announcements of one kind within this process and to other replicas, after their transaction has committed.
import type { Transactions } from '../database/transactions.ts';
import type { Bus } from './bus.ts';
import type { InternalTopic } from './subjects.ts';

type Listener<News> = (news: News) => void;

/** Announcements can get lost while the bus is unavailable, so subscribers also poll from time to time. */
export class Announcements<News extends object> {
  readonly #listeners = new Set<Listener<News>>();
  readonly #bus: Pick<Bus, 'publishInternal'>;
  readonly #transactions: Pick<Transactions, 'afterCommit'>;
  readonly #topic: InternalTopic;

  constructor(
    bus: Pick<Bus, 'publishInternal' | 'subscribe' | 'subjects'>,
    transactions: Pick<Transactions, 'afterCommit'>,
    topic: InternalTopic,
  ) {
    this.#bus = bus;
    this.#transactions = transactions;
    this.#topic = topic;
    bus.subscribe(bus.subjects.internal(topic), (message) => this.#deliver(message.json<News>()), {
      lane: 'platform',
    });
  }

  /** Calls the listener with every announcement until the returned function is called. */
  on(listener: Listener<News>): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  announce(news: News): void {
    this.#transactions.afterCommit(() => {
      this.#deliver(news);
      this.#bus.publishInternal(this.#topic, news);
    });
  }

  #deliver(news: News): void {
    for (const listener of this.#listeners) listener(news);
  }
}
