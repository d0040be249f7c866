// Reads the answer to a request: as much of it as is wanted, and no longer than it is waited for.
import type { Dispatcher } from 'undici';
import { OutboundError } from './outbound-error.ts';

export interface ReceivedAnswer {
  status: number;
  /** Names are in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The beginning of the body, as UTF-8. */
  text: string;
  /** Whether the body is longer. */
  isCut: boolean;
}

export interface AnswerLimits {
  /** For everything together: looking the name up, connecting, sending, and reading the answer. */
  timeoutMs: number;
  /** What is read of the answer's body at most; the rest is not waited for. */
  maxBytes: number;
}

type Controller = Dispatcher.DispatchController;

/** What undici tells of one request. Whatever comes after it has been received or given up counts for nothing. */
export class Answer implements Dispatcher.DispatchHandler {
  readonly #received = Promise.withResolvers<ReceivedAnswer>();
  readonly #deadline: NodeJS.Timeout;
  readonly #chunks: Buffer[] = [];
  #room: number;
  #status = 0;
  #headers: ReceivedAnswer['headers'] = {};
  #controller: Controller | undefined;
  #givenUp: OutboundError | undefined;

  constructor({ timeoutMs, maxBytes }: AnswerLimits) {
    this.#room = maxBytes;
    this.#deadline = setTimeout(() => this.#giveUp(tooLate()), timeoutMs);
  }

  /** Rejects with an `OutboundError` when there is none. */
  get received(): Promise<ReceivedAnswer> {
    return this.#received.promise;
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#givenUp !== undefined) controller.abort(this.#givenUp);
  }

  onResponseStart(_controller: Controller, status: number, headers: ReceivedAnswer['headers']): void {
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
  new OutboundError('timed_out', 'There was no complete answer in time.', options);
