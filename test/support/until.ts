// Waits for a condition without guessing how long it takes.
import type { Response } from 'supertest';
import { patient } from './patience.ts';

const [shortestPauseMs, longestPauseMs] = [15, 75];

/**
 * Returns the first truthy result of `probe`; falsy results are retried, up to the time that an idle machine has. Pauses
 * grow to a twentieth of the time waited: probes of a long wait would take the processor from what they wait for.
 */
export async function until<T>(
  probe: () => Promise<T | Nothing> | T | Nothing,
  what = 'it',
  ms = 60_000,
): Promise<T> {
  const begunMs = Date.now();
  for (;;) {
    const result = await probe();
    if (result) return result;
    const waitedMs = Date.now() - begunMs;
    if (waitedMs > patient(ms))
      throw new Error(`${what} did not happen within ${Math.round(patient(ms))} ms`);
    const pauseMs = Math.min(longestPauseMs, Math.max(shortestPauseMs, waitedMs / 20));
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

type Nothing = undefined | null | false | 0 | '';

/** Sends until the platform is not too busy for it, which it says with 503. */
export async function unlessBusy(send: () => PromiseLike<Response>): Promise<Response> {
  for (;;) {
    const response = await send();
    if (response.status !== 503) return response;
  }
}
