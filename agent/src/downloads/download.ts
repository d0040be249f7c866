// Opens a download over HTTP with a timeout for silence, and without redirects.
import { BrokenDownload, BusyDownload, DownloadError } from '../errors.ts';
import http, { type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import { publicLookup, refusePrivateLiteral } from './public-addresses.ts';

/** Maximum time without data from the server. */
const silenceMs = 30_000;
const maxRetryAfterMs = 5 * 60_000;
const partialContent = 206;
const transientStatuses = new Set([408, 425, 429, 500, 502, 503, 504]);

export interface Download {
  /** Offset of the first part: the requested one, or 0 when the server sends the whole content. */
  from: number;
  parts: AsyncGenerator<Uint8Array>;
}

export interface DownloadOptions {
  from: number;
  /** Entity tag of the content; if the content has changed, the server sends all of it. */
  tag: string;
  signal: AbortSignal | undefined;
  /** Whether it may come from an address within this host's network. */
  allowsPrivate: boolean;
}

export async function openDownload(
  address: string,
  { from, tag, signal, allowsPrivate }: DownloadOptions,
): Promise<Download> {
  const url = new URL(address);
  if (!allowsPrivate) refusePrivateLiteral(url);
  const silence = new Silence();
  const ending = signal === undefined ? silence.signal : AbortSignal.any([signal, silence.signal]);
  const headers = {
    'user-agent': 'Gantry agent',
    ...(from > 0 && { range: `bytes=${from}-`, 'if-range': tag }),
  };
  const options = {
    headers,
    signal: ending,
    // A new connection each time: a reused one might lead to an address that the name no longer resolves to.
    ...(!allowsPrivate && { lookup: publicLookup, agent: false }),
  };
  const response = await broken(() => request(url, options), ending).finally(() => silence.end());
  const { statusCode: status = 0 } = response;
  if (status >= 200 && status < 300)
    return { from: startOf(response), parts: partsOf(response, silence, ending) };
  response.destroy();
  if (transientStatuses.has(status)) throw transientFailure(status, response.headers['retry-after']);
  throw new DownloadError(`The server refused it: the response had status ${status}.`);
}

/** A date in `Retry-After` is ignored: the clocks may differ. */
function transientFailure(status: number, retryAfter = ''): BrokenDownload {
  const message = `the response had status ${status}`;
  if (!/^\d{1,9}$/.test(retryAfter)) return new BrokenDownload(message);
  return new BusyDownload(message, Math.min(Number(retryAfter) * 1000, maxRetryAfterMs));
}

/** Follows no redirects, and requests no compression, because checksums cover the bytes as sent. */
function request(url: URL, options: RequestOptions): Promise<IncomingMessage> {
  const { get } = url.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    get(url, options, resolve).on('error', reject);
  });
}

function startOf(response: IncomingMessage): number {
  if (response.statusCode !== partialContent) return 0;
  const start = /^bytes (\d{1,15})-/.exec(response.headers['content-range'] ?? '')?.[1];
  if (start !== undefined) return Number(start);
  response.destroy();
  throw new DownloadError('The response does not say which part it contains.');
}

async function* partsOf(
  response: IncomingMessage,
  silence: Silence,
  ending: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const parts = response[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
  try {
    for (;;) {
      silence.begin();
      const { done, value } = await broken(() => parts.next(), ending).finally(() => silence.end());
      if (done === true) return;
      yield value;
    }
  } finally {
    response.destroy();
  }
}

/** Ends the connection after too long a silence. It is paused while received bytes are written to a slow disk. */
class Silence {
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor() {
    this.begin();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  begin(): void {
    this.#timer = setTimeout(
      () => this.#controller.abort(new Error('no message arrived for too long')),
      silenceMs,
    );
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

async function broken<T>(work: () => Promise<T>, ending: AbortSignal): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DownloadError) throw error;
    const fault: unknown = ending.aborted ? ending.reason : error;
    // If a name has several addresses, the error lists the failure of each.
    const reason: unknown = fault instanceof AggregateError ? fault.errors[0] : fault;
    throw new BrokenDownload(reason instanceof Error ? reason.message : String(reason), { cause: error });
  }
}
