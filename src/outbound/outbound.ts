// Sends requests to user-chosen destinations: only to checked addresses, and with deadlines.
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { ReplyHandler, type ReplyLimits, type ReceivedReply } from './reply.ts';
import {
  Destinations,
  literalOf,
  type DestinationSettings,
  type OwnAddresses,
  type Resolve,
} from './destinations.ts';

export interface OutboundSettings extends DestinationSettings {
  /** Resolves names; the default uses the machine's name servers. */
  resolve?: Resolve;
  /** The machine's own addresses; the default reads its network interfaces. */
  own?: OwnAddresses;
  /** Certificate authorities to trust instead of the default ones, as PEM. */
  authorities?: string;
}

export interface OutboundRequest extends ReplyLimits {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
}

/** The receiver's verdict: it accepted the request, rejected it, or is unavailable or has moved. */
export type Verdict = 'accepted' | 'rejected' | 'unavailable';

export interface OutboundReply extends ReceivedReply {
  verdict: Verdict;
}

const connectMs = 5_000;
const keepAliveMs = 4_000;
const maxHeaderBytes = 16_384;

/**
 * Follows no redirects and ignores proxy settings. A name is resolved once per connection, and the connection goes to
 * exactly the addresses that were checked (no DNS rebinding).
 */
export class Outbound {
  readonly #destinations: Destinations;
  readonly #agent: Agent;
  readonly #beforeSending: () => void;

  /** `beforeSending` runs before each request, and throws where network waits are not allowed. */
  constructor({ resolve, own, authorities, ...settings }: OutboundSettings, beforeSending: () => void) {
    this.#destinations = new Destinations(settings, resolve, own);
    this.#beforeSending = beforeSending;
    this.#agent = new Agent({
      connect: createConnector(this.#destinations, authorities),
      // No connection limit: a receiver may have senders of many licenses, and one license must not slow another. Each
      // sender limits its own concurrency.
      connections: null,
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: keepAliveMs,
      maxHeaderSize: maxHeaderBytes,
      // The deadline of each request covers headers and body.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** Throws if the URL itself shows that it is not allowed. */
  check(url: string): void {
    this.#destinations.parse(url);
  }

  /** Throws unless the URL, as its name resolves now, may be requested. */
  async checkNow(url: string): Promise<void> {
    await this.#destinations.check(url);
  }

  /** The reply, with any status; throws an `OutboundError` when there is none. */
  async send({ method, url, headers, body, ...limits }: OutboundRequest): Promise<OutboundReply> {
    this.#beforeSending();
    const { origin, pathname, search } = this.#destinations.parse(url);
    const reply = new ReplyHandler(limits);
    this.#agent.dispatch(
      {
        origin,
        path: pathname + search,
        method,
        headers: { 'user-agent': 'Gantry', ...headers },
        ...(body !== undefined && { body }),
      },
      reply,
    );
    const received = await reply.received;
    return { ...received, verdict: verdictOf(received.status) };
  }

  /** The number of receivers with an open connection or a running request. */
  get receivers(): number {
    return Object.keys(this.#agent.stats).length;
  }

  /** Aborts the running requests. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

/** Timeouts and rate limits are no fault of the request. */
const passing = [408, 425, 429];

function verdictOf(status: number): Verdict {
  if (status >= 200 && status < 300) return 'accepted';
  return status >= 400 && status < 500 && !passing.includes(status) ? 'rejected' : 'unavailable';
}

function createConnector(destinations: Destinations, authorities: string | undefined) {
  const lookup: LookupFunction = (name, { all }, done) => {
    destinations.addressesOf(name).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: isIP(address) }));
        if (all === true) done(null, found);
        else done(null, found[0]?.address ?? '', found[0]?.family);
      },
      (error: NodeJS.ErrnoException) => done(error, '', 0),
    );
  };
  const connect = buildConnector({
    timeout: connectMs,
    allowH2: false,
    autoSelectFamily: true,
    lookup,
    ...(authorities !== undefined && { ca: authorities }),
  });
  // IP address literals are never resolved.
  const connector: buildConnector.connector = (options, done) => {
    const address = literalOf(options.hostname);
    try {
      if (isIP(address) !== 0) destinations.checkAddress(address);
    } catch (error) {
      done(error as Error, null);
      return;
    }
    connect(options, done);
  };
  return connector;
}
