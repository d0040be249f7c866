// Compares how long requests take, so that their durations reveal nothing.
import { cpuUsage } from 'node:process';

/** Milliseconds by kind of request. The shortest of many is its work; longer ones waited for something else. */
type Shortest = Record<string, number>;

const maxRounds = 150;

/**
 * Makes one request of each kind again and again until the shortest duration of each is at most `factor` times, and at least
 * 1/`factor` of, that of the first kind. Returns the ratios if that does not happen: a request that leaves out work of
 * another stays shorter.
 *
 * On a busy machine even the shortest of many may have waited for a processor. So the processor time of this process, which
 * also serves the requests, counts as well: the kinds are alike if they are by one of both.
 */
export async function unlikeDurations(
  kinds: Record<string, () => PromiseLike<unknown>>,
  { factor, minRounds }: { factor: number; minRounds: number },
): Promise<{ elapsed: Shortest; processor: Shortest } | undefined> {
  const elapsed = new ShortestDurations(Object.keys(kinds), factor);
  const processor = new ShortestDurations(Object.keys(kinds), factor);
  for (let round = 1; round <= maxRounds; round += 1) {
    for (const [kind, request] of Object.entries(kinds)) {
      const [begun, before] = [performance.now(), cpuUsage()];
      await request();
      const { user, system } = cpuUsage(before);
      elapsed.add(kind, performance.now() - begun);
      processor.add(kind, (user + system) / 1_000);
    }
    if (round >= minRounds && (elapsed.areAlike || processor.areAlike)) return undefined;
  }
  return { elapsed: elapsed.ratios, processor: processor.ratios };
}

class ShortestDurations {
  readonly #shortest: Map<string, number>;
  readonly #factor: number;

  constructor(kinds: readonly string[], factor: number) {
    this.#shortest = new Map(kinds.map((kind) => [kind, Infinity]));
    this.#factor = factor;
  }

  add(kind: string, ms: number): void {
    this.#shortest.set(kind, Math.min(this.#shortest.get(kind) ?? Infinity, ms));
  }

  /** To the first kind. */
  get ratios(): Shortest {
    const [first = 1] = this.#shortest.values();
    return Object.fromEntries([...this.#shortest].map(([kind, ms]) => [kind, ms / first]));
  }

  get areAlike(): boolean {
    return Object.values(this.ratios).every((ratio) => ratio < this.#factor && ratio > 1 / this.#factor);
  }
}
