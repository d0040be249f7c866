// Hashes and verifies passwords with Argon2id, a few at a time so that a storm of sign-ins starves nothing else.
import argon2 from 'argon2';
import pLimit, { type LimitFunction } from 'p-limit';
import { PasswordPolicy, type PasswordChoice } from './password-policy.ts';

/** OWASP's recommendation for Argon2id: 19 MiB, two passes, one lane. */
const parameters = { type: argon2.argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export class Passwords {
  readonly #limit: LimitFunction;
  readonly #policy = new PasswordPolicy();
  #decoy: Promise<string> | undefined;

  /** `atOnce` hashes run in parallel; the others wait their turn. */
  constructor(atOnce: number) {
    this.#limit = pLimit(atOnce);
  }

  /** The hash of a password that somebody has chosen; throws `weak_password` unless it is hard to guess. */
  async hashChosen(choice: PasswordChoice): Promise<string> {
    await this.#policy.check(choice);
    return this.hash(choice.password);
  }

  hash(password: string): Promise<string> {
    return this.#limit(() => argon2.hash(password, parameters));
  }

  /** Whether the password is the one; without a hash it takes as long and answers false. */
  async verify(hash: string | null | undefined, password: string): Promise<boolean> {
    const known = hash ?? (await (this.#decoy ??= this.hash('nobody has this password')));
    const matches = await this.#limit(() => argon2.verify(known, password));
    return matches && hash !== null && hash !== undefined;
  }
}
