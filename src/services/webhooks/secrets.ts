// The secrets of webhooks: created, encrypted at rest, decrypted for signing.
import { randomBytes } from 'node:crypto';
import { purposes, SecretCipher } from '../../secrets/encryption.ts';

export class WebhookSecrets {
  readonly #cipher: SecretCipher;

  constructor(encryptionSecret: string) {
    this.#cipher = new SecretCipher(encryptionSecret, purposes.webhook);
  }

  /** Creates a secret for that webhook, in plain text and encrypted. */
  create(webhookId: string): { secret: string; encrypted: Buffer } {
    // The form of Standard Webhooks, whose libraries decode it strictly.
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    return { secret, encrypted: this.#cipher.encrypt(secret, webhookId) };
  }

  /** Decrypts the secrets; empty if one of them was encrypted with another key than this platform's. */
  openAll(encrypted: readonly Uint8Array[], webhookId: string): string[] {
    try {
      return encrypted.map((one) => this.#cipher.decrypt(one, webhookId));
    } catch {
      return [];
    }
  }

  isReadable(encrypted: Uint8Array, webhookId: string): boolean {
    return this.openAll([encrypted], webhookId).length > 0;
  }
}
