// Sends requests to destinations that others chose: only to addresses that were checked, and never for long.
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { Answer, type AnswerLimits, type ReceivedAnswer } from './answer.ts';
import {
  Destinations,
  literalOf,
  type DestinationSettings,
  type OwnAddresses,
  type Resolve,
} from './destinations.ts';

export interface OutboundSettings extends DestinationSettings {
  /** Looks names up; the name servers of the machine unless given. */
  resolve?: Resolve;
  /** The machine's own addresses; those of its network interfaces unless given. */
  own?: OwnAddresses;
  /** Certificate authorities to trust instead of the usual ones, as PEM. */
  authorities?: string;
}

export interface OutboundRequest extends AnswerLimits {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
}

/** What the receiver makes of a request: it took it, finds fault with it, or is not well or somewhere else. */
export type Verdict = 'taken' | 'faulted' | 'unwell';

export interface OutboundReply extends ReceivedAnswer {
  verdict: Verdict;
}

const connectMs = 5_000;
const keepAliveMs = 4_000;
const maxHeaderBytes = 16_384;

/**
 * Follows no redirects and heeds no proxy settings. A name is looked up once for each connection, and the connection
 * goes to the very addresses that were checked.
 */
export class Outbound {
  readonly #destinations: Destinations;
  readonly #agent: Agent;
  readonly #beforeSending: () => void;

  /** `beforeSending` is called first thing, to refuse where waiting has no place. */
  constructor({ resolve, own, authorities, ...settings }: OutboundSettings, beforeSending: () => void) {
    this.#destinations = new Destinations(settings, resolve, own);
    this.#beforeSending = beforeSending;
    this.#agent = new Agent({
      connect: createConnector(this.#destinations, authorities),
      // Nobody waits for a connection that somebody else is using: a receiver may have many senders, and those of one
      // license must not slow those of another. How many requests run at once is up to each sender.
      connections: null,
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: keepAliveMs,
      maxHeaderSize: maxHeaderBytes,
      // The deadline of each request is for everything.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** Throws unless something could be sent there, as far as the URL itself tells. */
  check(url: string): void {
    this.#destinations.parse(url);
  }

  /** Throws unless something may be sent there as names lead now. */
  async checkNow(url: string): Promise<void> {
    await this.#destinations.check(url);
  }

  /** The answer, whatever its status; throws an `OutboundError` when there is none. */
  async send({ method, url, headers, body, ...limits }: OutboundRequest): Promise<OutboundReply> {
    this.#beforeSending();
    const { origin, pathname, search } = this.#destinations.parse(url);
    const answer = new Answer(limits);
    this.#agent.dispatch(
      {
        origin,
        path: pathname + search,
        method,
        headers: { 'user-agent': 'Gantry', ...headers },
        ...(body !== undefined && { body }),
      },
      answer,
    );
    const received = await answer.received;
    return { ...received, verdict: verdictOf(received.status) };
  }

  /** Receivers that something is kept of: a connection, or a request. */
  get receivers(): number {
    return Object.keys(this.#agent.stats).length;
  }

  /** Ends the requests under way. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

/** Time-outs and limits are no fault of the request. */
const passing = [408, 425, 429];

function verdictOf(status: number): Verdict {
  if (status >= 200 && status < 300) return 'taken';
  return status >= 400 && status < 500 && !passing.includes(status) ? 'faulted' : 'unwell';
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
  // A number is never looked up.
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
