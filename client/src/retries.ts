// Sends a request again when that may help and cannot do its work twice.
import pRetry from 'p-retry';
import { HttpError, problemOf } from './errors.ts';

export type Send = (request: Request) => Promise<Response>;

export interface RetryOptions {
  /** How often a request is sent again at most. */
  retries: number;
  /** Milliseconds before the first retry; each later one waits twice as long, and all up to twice that, by chance. */
  firstWaitMs: number;
  /** The longest `Retry-After`, in milliseconds, that is waited for; beyond, the refusal is the answer. */
  longestWaitMs: number;
}

const repeatableMethods = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);
const passingStatuses = new Set([429, 502, 503, 504]);

/** Bodies other than JSON may be streams, which can be sent but once. */
export function hasRepeatableBody({ body, headers }: Request): boolean {
  return body === null || headers.get('Content-Type') === 'application/json';
}

/** An answer that may be another one later. */
class Passing extends Error {
  readonly response: Response;

  constructor(response: Response) {
    super(`${response.status}`);
    this.response = response;
  }
}

export function retrying(send: Send, { retries, firstWaitMs, longestWaitMs }: RetryOptions): Send {
  const attempt = async (request: Request) => {
    const response = await send(request.clone());
    if (await isPassing(response)) throw new Passing(response);
    return response;
  };
  return async (request) => {
    const isRepeatable = repeatableMethods.has(request.method) || request.headers.has('Idempotency-Key');
    if (!isRepeatable || !hasRepeatableBody(request)) return send(request);
    try {
      return await pRetry(() => attempt(request), {
        retries,
        minTimeout: firstWaitMs,
        randomize: true,
        signal: request.signal,
        shouldRetry: ({ error }) =>
          error instanceof Passing ? retryAfterMs(error) <= longestWaitMs : !(error instanceof HttpError),
        onFailedAttempt: async ({ error, retriesLeft }) => {
          if (!(error instanceof Passing) || retriesLeft === 0) return;
          const ms = retryAfterMs(error);
          if (ms <= longestWaitMs) await wait(ms, request.signal);
        },
      });
    } catch (error) {
      if (error instanceof Passing) return error.response;
      throw error;
    }
  };
}

async function isPassing(response: Response): Promise<boolean> {
  if (passingStatuses.has(response.status)) return true;
  // The attempt before, whose answer was lost, still runs.
  return response.status === 409 && (await problemOf(response))?.code === 'idempotency_in_flight';
}

function retryAfterMs({ response }: Passing): number {
  const seconds = Number(response.headers.get('Retry-After') ?? 0);
  return Number.isFinite(seconds) ? seconds * 1000 : 0;
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}
