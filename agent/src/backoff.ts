// Exponential backoff with jitter, interruptible pauses and retries.

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

/** Spreads a pause over 80 to 100 percent of its length, so that many agents do not call at the same time. */
export function jittered(pauseMs: number): number {
  return Math.round(pauseMs * (0.8 + Math.random() * 0.2));
}

/** Resolves when the signal fires. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Resolves after the pause, or at once when the signal fires. Never rejects. */
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

/** Retries with backoff until the work succeeds. Rejects only when the signal has fired. */
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
