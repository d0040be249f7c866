// Waits for something to become so, without guessing how long it takes.

/** The first result of `probe` that is neither undefined nor false. */
export async function until<T>(
  probe: () => Promise<T | undefined | false> | T | undefined | false,
  what = 'it',
  ms = 15_000,
): Promise<T> {
  const deadline = Date.now() + ms;
  for (;;) {
    const result = await probe();
    if (result !== undefined && result !== false) return result;
    if (Date.now() > deadline) throw new Error(`${what} did not happen within ${ms} ms`);
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}
