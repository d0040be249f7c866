// Signs what the platform hands out and wants to recognise again, without keeping it.
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

export class Signer {
  readonly #key: Uint8Array;

  /** The key is derived for one purpose: what is signed for another is not taken. */
  constructor(secret: string, purpose: string) {
    this.#key = new Uint8Array(hkdfSync('sha256', secret, '', purpose, 32));
  }

  sign(parts: readonly (string | number)[]): string {
    return this.#digest(parts).toString('base64url');
  }

  /** The time it takes tells nothing of how much of the signature is right. */
  isSigned(parts: readonly (string | number)[], signature: string): boolean {
    const [right, given] = [this.#digest(parts), Buffer.from(signature, 'base64url')];
    return right.length === given.length && timingSafeEqual(right, given);
  }

  #digest(parts: readonly (string | number)[]): Buffer {
    return createHmac('sha256', this.#key).update(JSON.stringify(parts)).digest();
  }
}
