// Bounds how many agents download an executable at a time: an update of a thousand hosts must leave room for other requests.
import { randomInt } from 'node:crypto';
import type { ServerResponse } from 'node:http';

interface Limits {
  maxCount: number;
  /** A client that receives nothing for this long loses its place and its connection. */
  maxSilenceMs: number;
  minRetrySeconds: number;
  maxRetrySeconds: number;
}

const limitsUnlessGiven: Limits = {
  maxCount: 20,
  maxSilenceMs: 60_000,
  minRetrySeconds: 10,
  maxRetrySeconds: 30,
};

export class DownloadPlaces {
  readonly #limits: Limits;
  #count = 0;

  constructor(limits: Partial<Limits> = {}) {
    this.#limits = { ...limitsUnlessGiven, ...limits };
  }

  /** The response holds a place until it ends. Returns false if no place is free. */
  take(response: ServerResponse): boolean {
    const { maxCount, maxSilenceMs } = this.#limits;
    if (this.#count >= maxCount) return false;
    this.#count += 1;
    response.once('close', () => (this.#count -= 1));
    response.setTimeout(maxSilenceMs, () => response.destroy());
    return true;
  }

  /** Seconds until a refused agent may try again; random, so that agents refused together do not return together. */
  get retrySeconds(): number {
    const { minRetrySeconds, maxRetrySeconds } = this.#limits;
    return randomInt(minRetrySeconds, maxRetrySeconds + 1);
  }
}
