// Seals what the database may keep but nobody who reads it there may know.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** Encrypts and authenticates texts with a key of its own, derived from a secret for one purpose. */
export class Seal {
  readonly #key: Uint8Array;

  constructor(secret: string, purpose: string) {
    this.#key = new Uint8Array(hkdfSync('sha256', secret, '', purpose, 32));
  }

  /** What belongs to one subject, a row's id for one, can not be opened as another's. */
  close(text: string, subject = ''): Buffer {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, this.#key, nonce).setAAD(Buffer.from(subject));
    const sealed = Buffer.concat([cipher.update(text), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
  }

  /** Throws when it was sealed with another secret or for another subject, or was changed since. */
  open(sealed: Uint8Array, subject = ''): string {
    const bytes = Buffer.from(sealed);
    const textStart = nonceBytes + tagBytes;
    const decipher = createDecipheriv(algorithm, this.#key, bytes.subarray(0, nonceBytes))
      .setAAD(Buffer.from(subject))
      .setAuthTag(bytes.subarray(nonceBytes, textStart));
    return Buffer.concat([decipher.update(bytes.subarray(textStart)), decipher.final()]).toString();
  }
}
