// Detects brokers that have started, so that they learn what they have missed.
import type { NatsConnection } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import { connectToSystem } from './connection.ts';
import type { BusKeys } from './keys.ts';

/** A broker reports itself a quarter of a second after its start, then less and less often, and at last every ten. */
const reports = '$SYS.SERVER.*.STATSZ';
/** A broker that has not reported for this long has gone; its id is never used again. */
const goneMs = 60_000;

export interface BrokerWatchOptions {
  url: string;
  keys: BusKeys;
  /** Called when brokers have started. After a failure it is called again with their next report. */
  onStarted: () => Promise<void>;
  log: Logger;
}

export class BrokerWatch {
  readonly #options: BrokerWatchOptions;
  /** When each broker, by the id of its process, last reported. */
  readonly #seen = new Map<string, number>();
  #connection: NatsConnection | undefined;
  #informing: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: BrokerWatchOptions) {
    this.#options = options;
  }

  /** Connects if necessary. */
  async refresh(): Promise<void> {
    if (this.#isClosed || this.#connection?.isClosed() === false) return;
    this.#connection = await this.#connect();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#informing;
    await this.#connection?.close();
  }

  async #connect(): Promise<NatsConnection> {
    const { url, keys, log } = this.#options;
    const connection = await connectToSystem(
      { url, keys, name: 'gantry-brokers' },
      { pub: { deny: ['>'] }, sub: { allow: [reports] } },
    );
    connection.subscribe(reports, {
      callback: (error, message) => {
        if (error === null) this.#take(message.subject.split('.')[2] ?? '');
        else log.error({ err: error }, 'a subscription to the reports of brokers failed');
      },
    });
    return connection;
  }

  #take(id: string): void {
    const now = performance.now();
    for (const [other, at] of this.#seen) if (now - at > goneMs) this.#seen.delete(other);
    const isNew = !this.#seen.has(id);
    // Those that start meanwhile are informed with their next report.
    if (isNew && (this.#isClosed || this.#informing !== undefined)) return;
    this.#seen.set(id, now);
    if (isNew) this.#informing = this.#inform(id);
  }

  async #inform(id: string): Promise<void> {
    try {
      await this.#options.onStarted();
    } catch (error) {
      this.#seen.delete(id);
      this.#options.log.warn({ err: error }, 'a broker that has started could not be informed yet');
    } finally {
      this.#informing = undefined;
    }
  }
}
