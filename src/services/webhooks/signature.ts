// Signs deliveries of webhooks, in headers of Standard Webhooks and in `X-Service-` headers.
import { createHmac } from 'node:crypto';

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
