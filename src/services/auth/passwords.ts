// Hashes and verifies passwords with Argon2id, a few at a time so that a burst of sign-ins starves nothing else.
import argon2 from 'argon2';
import pLimit, { type LimitFunction } from 'p-limit';
import { DomainError } from '../../errors.ts';
import { refuseWeak, type PasswordChoice } from './password-policy.ts';

/** OWASP's recommendation for Argon2id: 19 MiB, two passes, one lane. */
const parameters = { type: argon2.argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Beyond this, the last in the queue would wait longer than callers do, and the queue is held in memory. */
const defaultMaxWaiting = 200;

export class Passwords {
  readonly #limit: LimitFunction;
  readonly #maxWaiting: number;
  #decoy: Promise<string> | undefined;

  /** `atOnce` hashes run in parallel; up to `maxWaiting` others wait, and the rest is refused. */
  constructor(atOnce: number, maxWaiting = defaultMaxWaiting) {
    this.#maxWaiting = maxWaiting;
    this.#limit = pLimit(atOnce);
  }

  /** Hashes a chosen password; throws `weak_password` unless it is hard to guess. */
  async hashChosen(choice: PasswordChoice): Promise<string> {
    await refuseWeak(choice);
    return this.hash(choice.password);
  }

  hash(password: string): Promise<string> {
    return this.#limited(() => argon2.hash(password, parameters));
  }

  /** Whether the password matches. Without a hash, it takes as long and returns false. */
  async verify(hash: string | null | undefined, password: string): Promise<boolean> {
    const matches = await this.#limited(async () =>
      argon2.verify(hash ?? (await this.#decoyHash()), password),
    );
    return matches && hash !== null && hash !== undefined;
  }

  /** Created once, within the limit, by the first call that needs it. */
  async #decoyHash(): Promise<string> {
    this.#decoy ??= argon2.hash('nobody has this password', parameters);
    return this.#decoy;
  }

  async #limited<T>(work: () => Promise<T>): Promise<T> {
    if (this.#limit.pendingCount >= this.#maxWaiting)
      throw new DomainError('unavailable', 'Too many passwords are being checked; try again soon.');
    return this.#limit(work);
  }
}
