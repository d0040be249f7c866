// Computes the growing, jittered pauses between attempts and makes pauses that can be cut short.

export class Backoff {
  readonly #firstMs: number;
  readonly #maxMs: number;
  #attempts = 0;

  constructor(firstMs: number, maxMs: number) {
    this.#firstMs = firstMs;
    this.#maxMs = maxMs;
  }

  nextMs(): number {
    const pauseMs = Math.min(this.#maxMs, this.#firstMs * 2 ** Math.min(this.#attempts, 30));
    this.#attempts += 1;
    return jittered(pauseMs);
  }

  reset(): void {
    this.#attempts = 0;
  }
}

/** Spreads a pause over 80 to 100 percent of itself, so that many agents do not call in step. */
export function jittered(pauseMs: number): number {
  return Math.round(pauseMs * (0.8 + Math.random() * 0.2));
}

/** Ends when the signal fires. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Ends after the pause, or at once when the signal fires; it never rejects. */
export function pause(pauseMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) {
      resolve();
      return;
    }
    const finish = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, pauseMs);
    signal?.addEventListener('abort', finish, { once: true });
  });
}

/** Does it over again, after growing pauses, until it succeeds. Rejects only when the signal has fired. */
export async function untilDone(
  work: () => Promise<void>,
  signal: AbortSignal,
  onFailure: (error: unknown) => void,
): Promise<void> {
  const backoff = new Backoff(500, 15_000);
  for (;;) {
    signal.throwIfAborted();
    try {
      await work();
      return;
    } catch (error) {
      onFailure(error);
    }
    await pause(backoff.nextMs(), signal);
  }
}
