// Waits for a condition without guessing how long it takes.

/** Returns the first truthy result of `probe`; falsy results are retried. */
export async function until<T>(
  probe: () => Promise<T | Nothing> | T | Nothing,
  what = 'it',
  ms = 60_000,
): Promise<T> {
  const deadline = Date.now() + ms;
  for (;;) {
    const result = await probe();
    if (result) return result;
    if (Date.now() > deadline) throw new Error(`${what} did not happen within ${ms} ms`);
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}

type Nothing = undefined | null | false | 0 | '';
