// Waits for a condition without guessing how long it takes.
import { patient } from './patience.ts';

/** Returns the first truthy result of `probe`; falsy results are retried, up to the time that an idle machine has. */
export async function until<T>(
  probe: () => Promise<T | Nothing> | T | Nothing,
  what = 'it',
  ms = 60_000,
): Promise<T> {
  const begunMs = Date.now();
  for (;;) {
    const result = await probe();
    if (result) return result;
    if (Date.now() - begunMs > patient(ms))
      throw new Error(`${what} did not happen within ${Math.round(patient(ms))} ms`);
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}

type Nothing = undefined | null | false | 0 | '';
