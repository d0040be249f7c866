// Maintains the agent's link to the platform: session, connection, greeting and renewal of credentials.
import type { Msg, MsgHdrs } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import { Backoff, pause } from '../backoff.ts';
import { causeOf } from '../errors.ts';
import type { PlatformClock } from '../clock.ts';
import type { Identity } from '../identity.ts';
import type { Messages, Schemas } from '../messages.ts';
import { refreshAfterMs } from '../session.ts';
import type { Session, SessionClient } from '../session.ts';
import { ThrottledLog } from '../log.ts';
import { BusConnection } from './bus-connection.ts';
import { Subjects } from './subjects.ts';
import type { UpKind } from '../../../generated/agent-bus.protocol.ts';

export interface LinkListener {
  /** Called when the platform has replied to the greeting of a new connection. */
  onGreeted: (heartbeatIntervalMs: number) => void;
  /** Resolves once the reply was sent. */
  onCommand: (message: Msg, address: Address) => Promise<void>;
  onRequest: (message: Msg, address: Address) => Promise<void>;
}

/** The id and the subjects of this host on the platform. */
export interface Address {
  hostId: string;
  subjects: Subjects;
}

export interface LinkOptions {
  sessions: SessionClient;
  /** Where this host reaches the bus, in order; what the platform names unless set. */
  busUrls: string[] | undefined;
  identity: Identity;
  messages: Messages;
  clock: PlatformClock;
  hello: () => Schemas['Hello'];
  listener: LinkListener;
  log: Logger;
}

const helloTimeoutMs = 5_000;

export class PlatformLink {
  readonly #options: LinkOptions;
  readonly #stop = new AbortController();
  #session: Session | null = null;
  #address: Address | null = null;
  #bus: BusConnection | null = null;
  #jwtInUse = '';
  readonly #failures = new ThrottledLog();
  #greeting = new AbortController();
  #isGreeted = false;
  #isRenewalDue = false;
  #changed = new AbortController();
  #run: Promise<void> = Promise.resolve();

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  start(): void {
    this.#run = this.#keepLinked();
  }

  /** True once the platform has replied to the greeting of this connection, so that requests have a receiver. */
  get isGreeted(): boolean {
    return this.#isGreeted && this.#bus?.isUp === true;
  }

  publish(kind: UpKind, payload: unknown, headers?: MsgHdrs): boolean {
    if (this.#bus === null || this.#address === null) return false;
    return this.#bus.publish(this.#address.subjects.up(kind), JSON.stringify(payload), headers);
  }

  /** Requests a new session now, which also returns the platform's time. */
  renewSession(): void {
    this.#isRenewalDue = true;
    this.#changed.abort();
  }

  publishConsole(instance: string, payload: string): boolean {
    if (this.#bus === null || this.#address === null) return false;
    return this.#bus.publish(this.#address.subjects.console(instance), payload);
  }

  async request(kind: UpKind, payload: unknown, timeoutMs: number): Promise<string> {
    if (this.#bus === null || this.#address === null) throw new Error('The bus is not connected.');
    return this.#bus.request(this.#address.subjects.up(kind), JSON.stringify(payload), timeoutMs);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.#greeting.abort();
    this.#changed.abort();
    await this.#run;
    await this.#bus?.close();
  }

  async #keepLinked(): Promise<void> {
    const { sessions, log } = this.#options;
    const backoff = new Backoff(1_000, 30_000);
    while (!this.#stop.signal.aborted) {
      this.#isRenewalDue = false;
      const session = await sessions.obtain(this.#stop.signal);
      if (session === null) return;
      try {
        await this.#adopt(session);
      } catch (error) {
        const pauseMs = backoff.nextMs();
        const reason = causeOf(error);
        this.#failures.report('bus', reason, (fields) =>
          log.warn(
            { reason, urls: this.#urlsOf(session), retry_in_ms: pauseMs, ...fields },
            'the bus cannot be reached',
          ),
        );
        await pause(pauseMs, this.#stop.signal);
        continue;
      }
      await this.#untilSessionIsNeeded(session, backoff);
    }
  }

  async #adopt(session: Session): Promise<void> {
    const previous = this.#session;
    this.#session = session;
    const isSameBus =
      previous !== null &&
      this.#bus !== null &&
      !this.#bus.isClosed &&
      previous.host_id === session.host_id &&
      previous.bus.prefix === session.bus.prefix &&
      isSameList(this.#bus.urls, this.#urlsOf(session));
    if (isSameBus && this.#bus !== null) {
      if (this.#jwtInUse !== session.bus.jwt) await this.#bus.renew();
      return;
    }
    await this.#reconnect(session);
  }

  #urlsOf(session: Session): string[] {
    return this.#options.busUrls ?? session.bus.urls;
  }

  async #reconnect(session: Session): Promise<void> {
    const { identity, listener, log } = this.#options;
    const old = this.#bus;
    this.#bus = null;
    this.#onDown();
    await old?.close();

    const address: Address = {
      hostId: session.host_id,
      subjects: new Subjects(session.bus.prefix, session.host_id),
    };
    this.#address = address;
    const urls = this.#urlsOf(session);
    this.#bus = await BusConnection.open({
      urls,
      isOrdered: this.#options.busUrls !== undefined,
      name: session.host_id,
      subjects: address.subjects,
      seed: () => identity.seed,
      jwt: () => {
        this.#jwtInUse = this.#session?.bus.jwt ?? '';
        return this.#jwtInUse;
      },
      listener: {
        onUp: () => setImmediate(() => this.#onUp()), // after open() has returned the connection
        onDown: () => this.#onDown(),
        onCommand: (message) => listener.onCommand(message, address),
        onRequest: (message) => listener.onRequest(message, address),
      },
      log,
    });
    this.#failures.settle('bus');
    log.info({ host_id: session.host_id, urls }, 'connected to the bus');
  }

  /**
   * While connected, waits for two thirds of the credentials' lifetime. While disconnected, waits for a backoff pause
   * in which the client may reconnect, before the platform is asked whether the bus has moved.
   */
  async #untilSessionIsNeeded(session: Session, backoff: Backoff): Promise<void> {
    const refreshAtMs = performance.now() + refreshAfterMs(session);
    while (!this.#stop.signal.aborted) {
      const isUp = this.#bus?.isUp === true;
      const waitMs = isUp ? refreshAtMs - performance.now() : backoff.nextMs();
      if (waitMs > 0) await pause(waitMs, this.#changed.signal);
      const hasChanged = this.#changed.signal.aborted;
      if (hasChanged) this.#changed = new AbortController();
      if (this.#isRenewalDue) return;
      if (this.#bus?.isUp === true) {
        if (performance.now() >= refreshAtMs) return;
        backoff.reset();
      } else if (!isUp && !hasChanged) {
        return;
      }
    }
  }

  #onUp(): void {
    this.#changed.abort();
    this.#greeting.abort();
    this.#greeting = new AbortController();
    void this.#greet(this.#greeting.signal);
  }

  #onDown(): void {
    this.#isGreeted = false;
    this.#greeting.abort();
    this.#changed.abort();
  }

  async #greet(signal: AbortSignal): Promise<void> {
    const { hello, listener, log, messages, clock } = this.#options;
    const backoff = new Backoff(500, 15_000);
    while (!signal.aborted && !this.#stop.signal.aborted) {
      const askedAtMs = clock.monotonicMs();
      try {
        const reply = messages.parse('HelloReply', await this.request('hello', hello(), helloTimeoutMs));
        if (signal.aborted) return;
        if (reply.isValid) clock.learn(reply.value.server_time, askedAtMs);
        if (reply.isValid && reply.value.ok) {
          this.#isGreeted = true;
          this.#failures.settle('greeting');
          listener.onGreeted((this.#session?.heartbeat_interval_seconds ?? 10) * 1000);
          return;
        }
        const detail = reply.isValid ? 'refused' : reply.detail;
        this.#failures.report('greeting', detail, (fields) =>
          log.warn({ detail, ...fields }, 'the platform did not accept the greeting'),
        );
      } catch (error) {
        log.debug({ err: error }, 'hello got no reply');
      }
      await pause(backoff.nextMs(), signal);
    }
  }
}

function isSameList(left: string[], right: string[]): boolean {
  return left.length === right.length && left.every((url) => right.includes(url));
}
