// Signs values that the platform hands out and later verifies without storing them.
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

export class Signer {
  readonly #key: Uint8Array;

  /** The key is derived for one purpose: a signature made for another purpose is not valid. */
  constructor(secret: string, purpose: string) {
    this.#key = new Uint8Array(hkdfSync('sha256', secret, '', purpose, 32));
  }

  sign(parts: readonly (string | number)[]): string {
    return this.#digest(parts).toString('base64url');
  }

  /** Compares the signature in constant time. */
  isSigned(parts: readonly (string | number)[], signature: string): boolean {
    const [right, given] = [this.#digest(parts), Buffer.from(signature, 'base64url')];
    return right.length === given.length && timingSafeEqual(right, given);
  }

  #digest(parts: readonly (string | number)[]): Buffer {
    return createHmac('sha256', this.#key).update(JSON.stringify(parts)).digest();
  }
}
