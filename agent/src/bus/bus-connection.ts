// Holds one connection to the bus and says truthfully whether a message can leave right now.
import { connect, jwtAuthenticator, wsconnect, errors } from '@nats-io/transport-node';
import type {
  ConnectionOptions,
  Msg,
  MsgHdrs,
  NatsConnection,
  WsSocketFactory,
} from '@nats-io/transport-node';
import type { Logger } from 'pino';
import { WebSocket } from 'ws';
import { ThrottledLog } from '../throttled-log.ts';
import type { Subjects } from './subjects.ts';

export interface BusListener {
  onUp: () => void;
  onDown: () => void;
  onCommand: (message: Msg) => void;
  onQuestion: (message: Msg) => void;
}

export interface BusOptions {
  urls: string[];
  name: string;
  subjects: Subjects;
  seed: () => Uint8Array;
  jwt: () => string;
  listener: BusListener;
  log: Logger;
}

const maxUnflushedBytes = 4 * 1024 * 1024;
const closeTimeoutMs = 3_000;
const connectTimeoutMs = 5_000;

/** Node's own WebSocket never says why it could not connect; `ws` names the certificate or the status. */
const openWebSocket: WsSocketFactory = (url) =>
  Promise.resolve({
    socket: new WebSocket(url, {
      perMessageDeflate: false,
      handshakeTimeout: connectTimeoutMs,
    }) as unknown as globalThis.WebSocket,
    encrypted: url.startsWith('wss:'),
  });

export class BusConnection {
  readonly urls: string[];
  readonly #connection: NatsConnection;
  readonly #options: BusOptions;
  readonly #errors = new ThrottledLog();
  #isUp = true;
  #unflushedBytes = 0;
  #isFlushing = false;

  private constructor(connection: NatsConnection, options: BusOptions) {
    this.urls = options.urls;
    this.#connection = connection;
    this.#options = options;
  }

  static async open(options: BusOptions): Promise<BusConnection> {
    const settings: ConnectionOptions = {
      servers: options.urls,
      name: options.name,
      inboxPrefix: options.subjects.inboxPrefix,
      authenticator: jwtAuthenticator(options.jwt, options.seed),
      ignoreAuthErrorAbort: true,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 1_000,
      reconnectJitter: 1_000,
      pingInterval: 20_000,
      maxPingOut: 2,
      timeout: connectTimeoutMs,
    };
    const isWebSocket = /^wss?:/.test(options.urls[0] ?? '');
    const connection = isWebSocket
      ? await wsconnect({ ...settings, ignoreClusterUpdates: true, wsFactory: openWebSocket })
      : await connect(settings);
    const bus = new BusConnection(connection, options);
    void bus.#watch();
    const { onCommand, onQuestion, onUp } = options.listener;
    bus.#subscribe(options.subjects.commands, onCommand);
    bus.#subscribe(options.subjects.questions, onQuestion);
    onUp();
    return bus;
  }

  get isUp(): boolean {
    return this.#isUp && !this.#connection.isClosed();
  }

  get isClosed(): boolean {
    return this.#connection.isClosed();
  }

  /** For what may be lost: false, and nothing sent, when disconnected or when the bus does not keep up. */
  publish(subject: string, payload: string, headers?: MsgHdrs): boolean {
    if (!this.isUp || this.#connection.isDraining() || this.#unflushedBytes > maxUnflushedBytes) return false;
    this.#connection.publish(subject, payload, headers === undefined ? {} : { headers });
    this.#unflushedBytes += payload.length;
    if (!this.#isFlushing) void this.#flush();
    return true;
  }

  async request(subject: string, payload: string, timeoutMs: number): Promise<string> {
    if (!this.isUp) throw new Error('The bus is not connected.');
    const answer = await this.#connection.request(subject, payload, { timeout: timeoutMs });
    return answer.string();
  }

  /** Dials again with the newest credentials; the JWT of a live connection cannot be exchanged. */
  async renew(): Promise<void> {
    if (!this.isUp) return;
    await this.#connection
      .flush()
      .catch((error: unknown) => this.#options.log.debug({ err: error }, 'flush before renewal failed'));
    this.#goDown();
    await this.#connection.reconnect();
  }

  async close(): Promise<void> {
    const drained = this.isUp ? this.#connection.drain() : this.#connection.close();
    const timer = setTimeout(() => void this.#connection.close(), closeTimeoutMs);
    await drained.catch((error: unknown) =>
      this.#options.log.debug({ err: error }, 'the bus did not close in good order'),
    );
    clearTimeout(timer);
  }

  async #flush(): Promise<void> {
    this.#isFlushing = true;
    while (this.#unflushedBytes > 0 && this.isUp) {
      const bytes = this.#unflushedBytes;
      try {
        await this.#connection.flush();
      } catch (error) {
        this.#options.log.debug({ err: error }, 'published messages were lost with the connection');
      }
      this.#unflushedBytes -= bytes;
    }
    this.#unflushedBytes = 0;
    this.#isFlushing = false;
  }

  #subscribe(subject: string, take: (message: Msg) => void): void {
    const subscription = this.#connection.subscribe(subject, {
      callback: (error, message) => {
        if (error === null) take(message);
        else this.#options.log.error({ subject, err: error }, 'the bus refuses a subscription');
      },
    });
    void subscription.closed.then((error) => {
      if (error instanceof Error)
        this.#options.log.error({ subject, err: error }, 'a subscription was closed');
    });
  }

  async #watch(): Promise<void> {
    const { log } = this.#options;
    for await (const status of this.#connection.status()) {
      switch (status.type) {
        case 'disconnect':
        case 'forceReconnect':
        case 'staleConnection':
          this.#goDown();
          break;
        case 'reconnect':
          this.#isUp = true;
          if (this.#errors.settle('error')) log.info('the bus is connected again');
          this.#options.listener.onUp();
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
          this.#goDown();
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

  #goDown(): void {
    if (!this.#isUp) return;
    this.#isUp = false;
    this.#options.listener.onDown();
  }
}

function isAuthError(error: Error): boolean {
  return error instanceof errors.AuthorizationError || error instanceof errors.UserAuthenticationExpiredError;
}
