// Encrypts values at rest, so that reading the database does not reveal them.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** What is encrypted with the platform's secret. A purpose has a key of its own, so it must never change. */
export const purposes = {
  mail: 'gantry mail',
  notificationChannel: 'gantry notification channel',
  provisionedLicense: 'gantry provisioned license',
  secondFactor: 'gantry second factor',
  storeAccount: 'gantry store account',
  webhook: 'gantry webhook',
} as const;

/** Authenticated encryption of texts with a key derived from a secret for one purpose. */
export class SecretCipher {
  readonly #key: Uint8Array;

  constructor(secret: string, purpose: string) {
    this.#key = new Uint8Array(hkdfSync('sha256', secret, '', purpose, 32));
  }

  /** `subject`, for example a row's id, binds the ciphertext: it cannot be decrypted for another subject. */
  encrypt(text: string, subject = ''): Buffer {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, this.#key, nonce).setAAD(Buffer.from(subject));
    const encrypted = Buffer.concat([cipher.update(text), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]);
  }

  /** Throws if the secret or the subject differs, or the ciphertext was changed. */
  decrypt(encrypted: Uint8Array, subject = ''): string {
    const bytes = Buffer.from(encrypted);
    const textStart = nonceBytes + tagBytes;
    const decipher = createDecipheriv(algorithm, this.#key, bytes.subarray(0, nonceBytes))
      .setAAD(Buffer.from(subject))
      .setAuthTag(bytes.subarray(nonceBytes, textStart));
    return Buffer.concat([decipher.update(bytes.subarray(textStart)), decipher.final()]).toString();
  }
}
