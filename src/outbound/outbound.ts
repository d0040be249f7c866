// Sends requests to destinations that others chose: only to addresses that were checked, and never for long.
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, request, type Dispatcher } from 'undici';
import {
  Destinations,
  literalOf,
  type DestinationSettings,
  type OwnAddresses,
  type Resolve,
} from './destinations.ts';
import { OutboundError } from './outbound-error.ts';

export interface OutboundSettings extends DestinationSettings {
  /** Looks names up; the name servers of the machine unless given. */
  resolve?: Resolve;
  /** The machine's own addresses; those of its network interfaces unless given. */
  own?: OwnAddresses;
  /** Certificate authorities to trust instead of the usual ones, as PEM. */
  authorities?: string;
}

export interface OutboundRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** For everything together: looking the name up, connecting, sending, and reading the answer. */
  timeoutMs: number;
  /** What is read of the answer's body at most; the rest is not waited for. */
  mostBytes: number;
}

/** What the receiver makes of a request: it took it, finds fault with it, or is not well or somewhere else. */
export type Verdict = 'taken' | 'faulted' | 'unwell';

export interface OutboundReply {
  status: number;
  verdict: Verdict;
  /** Names are in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The beginning of the body, as UTF-8. */
  text: string;
  /** Whether the body is longer. */
  isCut: boolean;
}

const connectMs = 5_000;
const keepAliveMs = 4_000;
const mostHeaderBytes = 16_384;

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
      maxHeaderSize: mostHeaderBytes,
    });
  }

  /** Throws unless something could be sent there, as far as the URL itself tells. */
  check(url: string): void {
    this.#destinations.parse(url);
  }

  /** The answer, whatever its status; throws an `OutboundError` when there is none. */
  async send({ method, url, headers, body, timeoutMs, mostBytes }: OutboundRequest): Promise<OutboundReply> {
    this.#beforeSending();
    const destination = this.#destinations.parse(url);
    const ending = new AbortController();
    const deadline = setTimeout(() => ending.abort(), timeoutMs);
    try {
      const reply = await request(destination, {
        dispatcher: this.#agent,
        method,
        headers: { 'user-agent': 'Gantry', ...headers },
        ...(body !== undefined && { body }),
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
        signal: ending.signal,
      });
      const read = await beginningOf(reply.body, mostBytes);
      const { statusCode: status } = reply;
      return { status, verdict: verdictOf(status), headers: reply.headers, ...read };
    } catch (error) {
      throw failureOf(error, ending.signal);
    } finally {
      clearTimeout(deadline);
    }
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

async function beginningOf(
  body: Dispatcher.ResponseData['body'],
  mostBytes: number,
): Promise<Pick<OutboundReply, 'text' | 'isCut'>> {
  const chunks: Buffer[] = [];
  let length = 0;
  let isCut = false;
  // Leaving the loop early ends the connection.
  for await (const chunk of body as AsyncIterable<Buffer>) {
    const room = mostBytes - length;
    isCut = chunk.length > room;
    chunks.push(chunk.subarray(0, room));
    length += Math.min(chunk.length, room);
    if (isCut) break;
  }
  return { text: new TextDecoder().decode(Buffer.concat(chunks)), isCut };
}

const timeOuts = ['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT'];

function failureOf(error: unknown, signal: AbortSignal): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = Error.isError(error) && 'code' in error ? String(error.code) : undefined;
  if (signal.aborted || (code !== undefined && timeOuts.includes(code)))
    return new OutboundError('timed_out', 'There was no complete answer in time.', { cause: error });
  const reason = code === undefined ? '' : ` (${code})`;
  return new OutboundError('connection_failed', `The connection failed${reason}.`, { cause: error });
}
