// Holds one connection to the bus, and reports accurately whether a message can be sent now.
import { errors } from '@nats-io/transport-node';
import type { Msg, MsgHdrs, NatsConnection, Subscription } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import { ThrottledLog } from '../log.ts';
import { connectTimeoutMs, dial, type DialOptions } from './dial.ts';

export interface BusListener {
  onUp: () => void;
  onDown: () => void;
  /** Resolves once the reply was sent. */
  onCommand: (message: Msg) => Promise<void>;
  onRequest: (message: Msg) => Promise<void>;
}

export interface BusOptions extends DialOptions {
  listener: BusListener;
  log: Logger;
}

const maxUnflushedBytes = 4 * 1024 * 1024;
const closeTimeoutMs = 3_000;
/** Longer than the platform waits for a reply. */
const maxReplyMs = 10_000;

/** A connection to the server, its subscriptions, and the work that needs it for replies. */
interface Line {
  connection: NatsConnection;
  isUp: boolean;
  subscriptions: Subscription[];
  pending: Set<Promise<unknown>>;
}

export class BusConnection {
  readonly urls: string[];
  readonly #options: BusOptions;
  #line: Line;
  /** Settles once the replaced line has sent all its replies and is closed. */
  #retiring: Promise<void> = Promise.resolve();
  /** Reply subjects of received messages while two lines receive each of them. */
  #received: Set<string> | null = null;
  readonly #errors = new ThrottledLog();
  #isUp = true;
  #unflushedBytes = 0;
  #isFlushing = false;

  private constructor(connection: NatsConnection, options: BusOptions) {
    this.urls = options.urls;
    this.#options = options;
    this.#line = this.#begin(connection);
  }

  static async open(options: BusOptions): Promise<BusConnection> {
    const bus = new BusConnection(await dial(options), options);
    options.listener.onUp();
    return bus;
  }

  get isUp(): boolean {
    return this.#isUp && !this.#line.connection.isClosed();
  }

  get isClosed(): boolean {
    return this.#line.connection.isClosed();
  }

  /** Publishes a message that may get lost. Returns false without sending if disconnected or if the bus is too slow. */
  publish(subject: string, payload: string, headers?: MsgHdrs): boolean {
    const { connection } = this.#line;
    if (!this.isUp || connection.isDraining() || this.#unflushedBytes > maxUnflushedBytes) return false;
    connection.publish(subject, payload, headers === undefined ? {} : { headers });
    this.#unflushedBytes += payload.length;
    if (!this.#isFlushing) void this.#flush();
    return true;
  }

  async request(subject: string, payload: string, timeoutMs: number): Promise<string> {
    if (!this.isUp) throw new Error('The bus is not connected.');
    const line = this.#line;
    const reply = await pendingIn(line, line.connection.request(subject, payload, { timeout: timeoutMs }));
    return reply.string();
  }

  /**
   * Changes to a second connection with the newest credentials, because the JWT of a live connection cannot be
   * exchanged. The first one is closed once it receives nothing more and has sent all replies: only the
   * connection that a request came over may reply to it.
   */
  async renew(): Promise<void> {
    await this.#retiring;
    if (!this.isUp) return;
    const former = this.#line;
    const connection = await dial(this.#options);
    this.#received = new Set();
    const next = this.#begin(connection);
    await this.#flushed(next);
    this.#goDown();
    await this.#flushed(former);
    this.#line = next;
    this.#retiring = this.#retire(former);
    // If the new connection is down, its reconnection calls this instead.
    if (next.isUp) this.#goUp();
  }

  async close(): Promise<void> {
    const { connection } = this.#line;
    await Promise.all([this.#retiring, this.isUp ? this.#closed(connection) : connection.close()]);
  }

  async #retire(former: Line): Promise<void> {
    const { connection, subscriptions, pending } = former;
    await Promise.all(subscriptions.map((subscription) => subscription.drain())).catch((error: unknown) =>
      this.#options.log.debug({ err: error }, 'a former connection has ended'),
    );
    // What the former connection received has arrived here by now as well.
    await this.#flushed(this.#line);
    this.#received = null;
    await within(maxReplyMs, Promise.allSettled(pending));
    await this.#closed(connection);
  }

  async #closed(connection: NatsConnection): Promise<void> {
    if (connection.isClosed()) return;
    const drained = connection
      .drain()
      .catch((error: unknown) => this.#options.log.debug({ err: error }, 'the bus did not close cleanly'));
    await within(closeTimeoutMs, drained);
    await connection.close();
  }

  async #flushed({ connection }: Line): Promise<void> {
    const flushed = connection
      .flush()
      .catch((error: unknown) => this.#options.log.debug({ err: error }, 'a flush failed'));
    await within(connectTimeoutMs, flushed);
  }

  async #flush(): Promise<void> {
    this.#isFlushing = true;
    while (this.#unflushedBytes > 0 && this.isUp) {
      const bytes = this.#unflushedBytes;
      try {
        await this.#line.connection.flush();
      } catch (error) {
        this.#options.log.debug({ err: error }, 'published messages were lost with the connection');
      }
      this.#unflushedBytes -= bytes;
    }
    this.#unflushedBytes = 0;
    this.#isFlushing = false;
  }

  #begin(connection: NatsConnection): Line {
    const { subjects, listener } = this.#options;
    const line: Line = { connection, isUp: true, subscriptions: [], pending: new Set() };
    line.subscriptions.push(
      this.#subscribe(line, subjects.commands, listener.onCommand),
      this.#subscribe(line, subjects.requests, listener.onRequest),
    );
    void this.#watch(line);
    return line;
  }

  #subscribe(line: Line, subject: string, take: (message: Msg) => Promise<void>): Subscription {
    const subscription = line.connection.subscribe(subject, {
      callback: (error, message) => {
        if (error !== null)
          this.#options.log.error({ subject, err: error }, 'the bus refuses a subscription');
        else if (this.#isFirst(message)) void pendingIn(line, take(message));
      },
    });
    void subscription.closed.then((error) => {
      if (error instanceof Error)
        this.#options.log.error({ subject, err: error }, 'a subscription was closed');
    });
    return subscription;
  }

  /** False for the second copy of a message that two lines receive. */
  #isFirst({ reply = '' }: Msg): boolean {
    if (this.#received === null || reply === '') return true;
    if (this.#received.has(reply)) return false;
    this.#received.add(reply);
    return true;
  }

  async #watch(line: Line): Promise<void> {
    const { log } = this.#options;
    const isCurrent = () => line === this.#line;
    for await (const status of line.connection.status()) {
      switch (status.type) {
        case 'disconnect':
        case 'forceReconnect':
        case 'staleConnection':
          line.isUp = false;
          if (isCurrent()) this.#goDown();
          break;
        case 'reconnect':
          line.isUp = true;
          if (!isCurrent()) break;
          if (this.#errors.settle('error')) log.info('the bus is connected again');
          this.#goUp();
          break;
        case 'error':
          this.#errors.report('error', status.error.message, (fields) =>
            log.warn(
              { reason: status.error.message, ...fields },
              isAuthError(status.error) ? 'the bus refuses the credentials' : 'the bus reports an error',
            ),
          );
          break;
        case 'close':
          line.isUp = false;
          if (isCurrent()) this.#goDown();
          return;
        case 'reconnecting':
        case 'ldm':
        case 'ping':
        case 'slowConsumer':
        case 'update':
          log.debug({ status }, 'bus');
      }
    }
  }

  #goUp(): void {
    this.#isUp = true;
    this.#options.listener.onUp();
  }

  #goDown(): void {
    if (!this.#isUp) return;
    this.#isUp = false;
    this.#options.listener.onDown();
  }
}

function isAuthError(error: Error): boolean {
  return error instanceof errors.AuthorizationError || error instanceof errors.UserAuthenticationExpiredError;
}

/** Keeps the work in the line's pending work until it has ended. */
function pendingIn<T>({ pending }: Line, work: Promise<T>): Promise<T> {
  const ended = work.then(
    () => undefined,
    () => undefined,
  );
  pending.add(ended);
  void ended.then(() => pending.delete(ended));
  return work;
}

/** Waits for the work, but not longer than that. */
async function within(timeoutMs: number, work: Promise<unknown>): Promise<void> {
  const timer = Promise.withResolvers<void>();
  const handle = setTimeout(timer.resolve, timeoutMs);
  await Promise.race([work, timer.promise]);
  clearTimeout(handle);
}
