// Compares how long requests take, so that their durations reveal nothing.

/** The shortest duration of a kind is its work; longer ones waited for something else. */
type Shortest = Record<string, number>;

const maxRounds = 150;

/**
 * Makes one request of each kind again and again until the shortest duration of each is at most `factor` times, and at least
 * 1/`factor` of, that of the first kind. Other work on the machine only makes this take more rounds, but a request that
 * leaves out work of another stays shorter. Returns the ratios if that does not happen.
 */
export async function unlikeDurations(
  kinds: Record<string, () => PromiseLike<unknown>>,
  { factor, minRounds }: { factor: number; minRounds: number },
): Promise<Shortest | undefined> {
  const shortest = new Map(Object.keys(kinds).map((kind) => [kind, Infinity]));
  let ratios: Shortest = {};
  for (let round = 1; round <= maxRounds; round += 1) {
    for (const [kind, request] of Object.entries(kinds)) {
      const begun = performance.now();
      await request();
      shortest.set(kind, Math.min(shortest.get(kind) ?? Infinity, performance.now() - begun));
    }
    const [first = 1] = shortest.values();
    ratios = Object.fromEntries([...shortest].map(([kind, duration]) => [kind, duration / first]));
    const isAlike = Object.values(ratios).every((ratio) => ratio < factor && ratio > 1 / factor);
    if (isAlike && round >= minRounds) return undefined;
  }
  return ratios;
}
