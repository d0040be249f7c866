// Retries a request if that may help and cannot execute it twice.
import pRetry from 'p-retry';
import { errorOf, ProblemError } from './errors.ts';

/** As `fetch`: a signal beside the request, which has it too, holds for the whole exchange; see `whileWanted`. */
export type Send = (request: Request, init?: SendInit) => Promise<Response>;

export interface SendInit {
  signal: AbortSignal;
}

export interface RetryOptions {
  /** Maximum number of retries. */
  retries: number;
  /**
   * Milliseconds before the first retry; the wait doubles with each retry, plus random jitter up to the same amount.
   */
  firstWaitMs: number;
  /** The longest `Retry-After` to wait for, in milliseconds; a longer one returns the refusal to the caller. */
  maxWaitMs: number;
}

const repeatableMethods = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);
export const passingStatuses = new Set([429, 502, 503, 504]);

/** Bodies other than JSON may be streams, which can be sent only once. */
export function hasRepeatableBody({ body, headers }: Request): boolean {
  return body === null || /^application\/json\b/.test(headers.get('Content-Type') ?? '');
}

/** Whether the request is idempotent. A version condition holds only the first time. */
function isRepeatable(request: Request): boolean {
  if (!hasRepeatableBody(request)) return false;
  if (request.headers.has('Idempotency-Key')) return true;
  return repeatableMethods.has(request.method) && !request.headers.has('If-Match');
}

/** A response that may be different on a retry. */
class Passing extends Error {
  readonly response: Response;

  constructor(response: Response) {
    super(`${response.status}`);
    this.response = response;
  }
}

export function retrying(send: Send, { retries, firstWaitMs, maxWaitMs }: RetryOptions): Send {
  return async (request, init) => {
    if (!isRepeatable(request)) return send(request, init);
    const { signal } = init ?? request;
    let isLost = false;
    try {
      return await pRetry(
        async () => {
          const response = await send(request.clone(), init);
          if (await isPassing(response)) throw new Passing(response);
          // The deletion was done, but its response was lost.
          if (isLost && request.method === 'DELETE' && response.status === 404)
            return new Response(null, { status: 204 });
          return response;
        },
        {
          retries,
          minTimeout: firstWaitMs,
          randomize: true,
          signal,
          shouldRetry: ({ error }) =>
            !(error instanceof Passing) || retryAfterMs(error.response) <= maxWaitMs,
          onFailedAttempt: async ({ error, retriesLeft }) => {
            if (!(error instanceof Passing)) {
              isLost = true;
              return;
            }
            const ms = retryAfterMs(error.response);
            if (retriesLeft === 0 || ms > maxWaitMs) return;
            discard(error.response);
            await wait(ms, signal);
          },
        },
      );
    } catch (error) {
      if (error instanceof Passing) return error.response;
      throw error;
    }
  };
}

async function isPassing(response: Response): Promise<boolean> {
  if (passingStatuses.has(response.status)) return true;
  if (response.status !== 409) return false;
  // The previous attempt, whose response was lost, is still running.
  const error = await errorOf(response.clone());
  return error instanceof ProblemError && error.problem.code === 'idempotency_in_flight';
}

/** Frees the connection of an unused response. Does not wait, because a copy may still be read. */
export function discard({ body }: Response): void {
  body?.cancel().catch(() => undefined);
}

/** Parses a number of seconds or a date. */
export function retryAfterMs({ headers }: Response): number {
  const value = headers.get('Retry-After') ?? '0';
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? 0 : Math.max(0, ms);
}

/**
 * The promise's result, unless the signal aborts first. A request that has the signal needs it too: Node links the two
 * weakly, so that a garbage collection ends the link while the response is awaited or read. A signal given to `fetch`
 * beside its request is linked firmly, and also ends the connection.
 */
export function whileWanted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const givenUp = Promise.withResolvers<never>();
  const giveUp = () => givenUp.reject(signal.reason as Error);
  if (signal.aborted) giveUp();
  else signal.addEventListener('abort', giveUp, { once: true });
  return Promise.race([givenUp.promise, promise]).finally(() => signal.removeEventListener('abort', giveUp));
}

export function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
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
