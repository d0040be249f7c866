// Sends a request again when that may help and cannot do its work twice.
import pRetry from 'p-retry';
import { errorOf, ProblemError } from './errors.ts';

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
  return body === null || /^application\/json\b/.test(headers.get('Content-Type') ?? '');
}

/** Done twice it comes to the same. A condition on the version is met the first time only. */
function isRepeatable(request: Request): boolean {
  if (!hasRepeatableBody(request)) return false;
  if (request.headers.has('Idempotency-Key')) return true;
  return repeatableMethods.has(request.method) && !request.headers.has('If-Match');
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
  return async (request) => {
    if (!isRepeatable(request)) return send(request);
    let isLost = false;
    try {
      return await pRetry(
        async () => {
          const response = await send(request.clone());
          if (await isPassing(response)) throw new Passing(response);
          // The deletion whose answer was lost has been done.
          if (isLost && request.method === 'DELETE' && response.status === 404)
            return new Response(null, { status: 204 });
          return response;
        },
        {
          retries,
          minTimeout: firstWaitMs,
          randomize: true,
          signal: request.signal,
          shouldRetry: ({ error }) => !(error instanceof Passing) || retryAfterMs(error) <= longestWaitMs,
          onFailedAttempt: async ({ error, retriesLeft }) => {
            if (!(error instanceof Passing)) {
              isLost = true;
              return;
            }
            const ms = retryAfterMs(error);
            if (retriesLeft === 0 || ms > longestWaitMs) return;
            discard(error.response);
            await wait(ms, request.signal);
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
  // The attempt before, whose answer was lost, still runs.
  const error = await errorOf(response.clone());
  return error instanceof ProblemError && error.problem.code === 'idempotency_in_flight';
}

/** Frees the connection of an answer that nobody reads. It is not waited for: a copy may still be read. */
export function discard({ body }: Response): void {
  body?.cancel().catch(() => undefined);
}

/** A number of seconds or a date. */
function retryAfterMs({ response }: Passing): number {
  const value = response.headers.get('Retry-After') ?? '0';
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? 0 : Math.max(0, ms);
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
