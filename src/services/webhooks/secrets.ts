// The secrets of webhooks: encryption at rest, and the headers that they sign.
import { createHmac, randomBytes } from 'node:crypto';
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

export interface Signed {
  deliveryId: string;
  event: string;
  body: string;
}

/** Returns the headers of a delivery; docs/webhooks.md describes how receivers verify them. */
export function signedHeaders(
  { deliveryId, event, body }: Signed,
  secrets: readonly string[],
  now: Date,
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  return {
    'content-type': 'application/json',
    'user-agent': 'Gantry-Webhooks',
    'webhook-id': deliveryId,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets
      .map((secret) => `v1,${standardSignatureOf(`${deliveryId}.${timestamp}.${body}`, secret)}`)
      .join(' '),
    'x-service-delivery': deliveryId,
    'x-service-event': event,
    'x-service-timestamp': timestamp,
    'x-service-signature': secrets
      .map((secret) => `v1=${signatureOf(`${deliveryId}.${timestamp}.${body}`, secret)}`)
      .join(','),
  };
}

const signatureOf = (text: string, secret: string) => createHmac('sha256', secret).update(text).digest('hex');

/** The key is what follows the prefix, decoded; secrets from before this scheme are in the alphabet of URLs. */
const standardSignatureOf = (text: string, secret: string) =>
  createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(text)
    .digest('base64');
