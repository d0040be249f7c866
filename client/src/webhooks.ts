// Checks that a webhook came from the platform, with Web Crypto, which Node and browsers have.

/** The request is not from the platform, or is a recording. */
export class InvalidSignature extends Error {
  override readonly name = 'InvalidSignature';
}

export interface WebhookOptions {
  /** The raw body, as it arrived. */
  body: string | Uint8Array<ArrayBuffer>;
  headers: Headers | Record<string, string | string[] | undefined>;
  secret: string;
  /** Milliseconds of Unix time. */
  now?: number;
  toleranceSeconds?: number;
}

/**
 * Returns the event, or throws InvalidSignature. Checks `webhook-signature` of Standard Webhooks, or
 * `X-Service-Signature`.
 */
export async function verifyWebhook({
  body,
  headers,
  secret,
  now = Date.now(),
  toleranceSeconds = 300,
}: WebhookOptions): Promise<Record<string, unknown>> {
  if (/^(whsec_)?=*$/.test(secret)) throw new InvalidSignature('the secret is empty');
  const read = readerOf(headers);
  const isStandard = read('webhook-signature') !== '';
  const timestamp = read(isStandard ? 'webhook-timestamp' : 'x-service-timestamp');
  if (!/^\d{1,12}$/.test(timestamp)) throw new InvalidSignature('the timestamp is missing');
  if (Math.abs(now / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new InvalidSignature('the timestamp is too old or in the future');
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const isAuthentic = isStandard
    ? await isSigned(
        standardKey(secret),
        `${read('webhook-id')}.${timestamp}.`,
        bytes,
        base64Signatures(read),
      )
    : await isSigned(
        new TextEncoder().encode(secret),
        `${read('x-service-delivery')}.${timestamp}.`,
        bytes,
        hexSignatures(read),
      );
  if (!isAuthentic) throw new InvalidSignature('the signature does not fit');
  return JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
}

type Read = (name: string) => string;

function readerOf(headers: WebhookOptions['headers']): Read {
  if (headers instanceof Headers) return (name) => headers.get(name) ?? '';
  const given = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return (name) => [given.get(name) ?? []].flat().join(',');
}

/** Any valid signature suffices: there are two while a secret is being replaced. */
async function isSigned(
  secret: Uint8Array<ArrayBuffer> | undefined,
  head: string,
  body: Uint8Array<ArrayBuffer>,
  signatures: Uint8Array<ArrayBuffer>[],
): Promise<boolean> {
  if (secret === undefined || secret.length === 0) return false;
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
  const start = new TextEncoder().encode(head);
  const signed = new Uint8Array(start.length + body.length);
  signed.set(start);
  signed.set(body, start.length);
  const results = await Promise.all(
    signatures.map((signature) => crypto.subtle.verify('HMAC', key, signature, signed)),
  );
  return results.includes(true);
}

const standardKey = (secret: string) =>
  bytesOfBase64(
    secret
      .replace(/^whsec_/, '')
      .replaceAll('-', '+')
      .replaceAll('_', '/'),
  );

const base64Signatures = (read: Read) =>
  read('webhook-signature')
    .split(/\s+/)
    .filter((part) => part.startsWith('v1,'))
    .flatMap((part) => bytesOfBase64(part.slice(3)) ?? []);

const hexSignatures = (read: Read) =>
  read('x-service-signature')
    .split(',')
    .map((part) => /^\s*v1=([0-9a-f]{64})\s*$/.exec(part)?.[1])
    .flatMap((hex) =>
      hex === undefined ? [] : Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16)),
    );

function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}
