// Waits for something to become so, without guessing how long it takes.

/** The first result of `probe` that is something: nothing found, nothing counted and nothing read are tried again. */
export async function until<T>(
  probe: () => Promise<T | Nothing> | T | Nothing,
  what = 'it',
  ms = 30_000,
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
