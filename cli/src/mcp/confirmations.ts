// Confirmations of changes: each holds for one call with exactly the arguments that were shown.
import { createHash, randomBytes } from 'node:crypto';

const validMs = 5 * 60_000;
const maxPending = 100;

export class Confirmations {
  readonly #pending = new Map<string, { fingerprint: string; expiresAt: number }>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** A token for this change, valid once and for five minutes. */
  issue(change: unknown): string {
    for (const [token, { expiresAt }] of this.#pending)
      if (expiresAt <= this.#now()) this.#pending.delete(token);
    const [oldest] = this.#pending.keys();
    if (this.#pending.size >= maxPending && oldest !== undefined) this.#pending.delete(oldest);
    const token = randomBytes(12).toString('base64url');
    this.#pending.set(token, { fingerprint: fingerprintOf(change), expiresAt: this.#now() + validMs });
    return token;
  }

  /** Whether the token was issued for this very change; a token is used up by the attempt. */
  redeem(token: string, change: unknown): boolean {
    const pending = this.#pending.get(token);
    this.#pending.delete(token);
    return (
      pending !== undefined &&
      pending.expiresAt > this.#now() &&
      pending.fingerprint === fingerprintOf(change)
    );
  }
}

/** The same for equal values, in any order of their keys. */
function fingerprintOf(change: unknown): string {
  return createHash('sha256').update(JSON.stringify(change, sorted)).digest('base64');
}

function sorted(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
