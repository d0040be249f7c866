// Reads the response to an outbound request, up to a maximum size and until a deadline.
import type { Dispatcher } from 'undici';
import { OutboundError } from './outbound-error.ts';

export interface ReceivedReply {
  status: number;
  /** Names are in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The beginning of the body, as UTF-8. */
  text: string;
  /** Whether the body was truncated. */
  isCut: boolean;
}

export interface ReplyLimits {
  /** Covers the whole request: name resolution, connecting, sending, and reading the response. */
  timeoutMs: number;
  /** Maximum bytes read of the body; the rest is discarded. */
  maxBytes: number;
}

type Controller = Dispatcher.DispatchController;

/** The undici handler of one request. It ignores everything after the response is complete or given up. */
export class ReplyHandler implements Dispatcher.DispatchHandler {
  readonly #received = Promise.withResolvers<ReceivedReply>();
  readonly #deadline: NodeJS.Timeout;
  readonly #chunks: Buffer[] = [];
  #room: number;
  #status = 0;
  #headers: ReceivedReply['headers'] = {};
  #controller: Controller | undefined;
  #givenUp: OutboundError | undefined;

  constructor({ timeoutMs, maxBytes }: ReplyLimits) {
    this.#room = maxBytes;
    this.#deadline = setTimeout(() => this.#giveUp(tooLate()), timeoutMs);
  }

  /** Rejects with an `OutboundError` if there is no response. */
  get received(): Promise<ReceivedReply> {
    return this.#received.promise;
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#givenUp !== undefined) controller.abort(this.#givenUp);
  }

  onResponseStart(_controller: Controller, status: number, headers: ReceivedReply['headers']): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    const isCut = chunk.length > this.#room;
    this.#chunks.push(chunk.subarray(0, this.#room));
    this.#room -= Math.min(chunk.length, this.#room);
    if (!isCut) return;
    this.#receive(isCut);
    controller.abort(new Error('the rest is not wanted'));
  }

  onResponseEnd(): void {
    this.#receive(false);
  }

  onResponseError(_controller: Controller | null, error: Error): void {
    this.#giveUp(failureOf(error));
  }

  #receive(isCut: boolean): void {
    clearTimeout(this.#deadline);
    const text = this.#chunks.length === 0 ? '' : new TextDecoder().decode(Buffer.concat(this.#chunks));
    this.#received.resolve({ status: this.#status, headers: this.#headers, text, isCut });
  }

  #giveUp(error: OutboundError): void {
    clearTimeout(this.#deadline);
    this.#givenUp = error;
    this.#received.reject(error);
    this.#controller?.abort(error);
  }
}

const timeOuts = ['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT'];

function failureOf(error: Error): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = 'code' in error ? String(error.code) : undefined;
  if (code !== undefined && timeOuts.includes(code)) return tooLate({ cause: error });
  const reason = code === undefined ? '' : ` (${code})`;
  return new OutboundError('connection_failed', `The connection failed${reason}.`, { cause: error });
}

const tooLate = (options?: ErrorOptions) =>
  new OutboundError('timed_out', 'No complete response arrived in time.', options);

/** Receivers cannot postpone a retry for longer. */
const maxWaitSeconds = 3_600;

/** What a Retry-After header says, in seconds, at most one hour; undefined if the header is absent or invalid. */
export function retryAfter(header: string | string[] | undefined, now: number): number | undefined {
  const text = typeof header === 'string' ? header.trim() : '';
  const isDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text);
  const seconds = isDate
    ? (Date.parse(text) - now) / 1000
    : /^\d{1,9}(\.\d{1,9})?$/.test(text)
      ? Number(text)
      : NaN;
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 1), maxWaitSeconds) : undefined;
}
