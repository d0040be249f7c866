// Makes and hashes the secrets that the platform hands out once.
import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

/** A secret with 256 bits of chance behind a prefix that says what it is for. */
export function createSecret(prefix: string): string {
  return `${prefix}${randomBytes(32).toString('base64url')}`;
}

/** How such a secret is stored. It has too much chance in it to be guessed, so a plain hash is enough. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Whether the hash is that of the secret. The time it takes tells nothing of how much of it is right. */
export function isHashOf(hash: string, secret: string): boolean {
  const [kept, presented] = [Buffer.from(hash, 'hex'), Buffer.from(hashSecret(secret), 'hex')];
  return kept.length === presented.length && timingSafeEqual(kept, presented);
}

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const crockfordText = (length: number) =>
  Array.from({ length }, () => crockford[randomInt(crockford.length)]).join('');

/** Four groups for people to write down, 80 bits of chance. */
export function createRecoveryCode(): string {
  return Array.from({ length: 4 }, () => crockfordText(4)).join('-');
}

/** The part of a subdomain that keeps it from being another's. */
export function createSlugEnd(): string {
  return crockfordText(8).toLowerCase();
}

/** A license key: five groups that people can read to each other, 125 bits of chance. */
export function createLicenseKey(): string {
  return `GNTRY-${Array.from({ length: 5 }, () => crockfordText(5)).join('-')}`;
}

const base32 = 'abcdefghijklmnopqrstuvwxyz234567';

function base32Of(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? [])
    .map((group) => base32[Number.parseInt(group.padEnd(5, '0'), 2)])
    .join('');
}

/** An API key: an identifier that it is found by and may be shown, and a secret of 256 bits. */
export function createApiKey(): { identifier: string; key: string } {
  const identifier = base32Of(randomBytes(10));
  return { identifier, key: `gantry_${identifier}_${base32Of(randomBytes(32))}` };
}

/** The key of a reseller, which has another form than an API key: neither passes for the other. */
export function createResellerKey(): { identifier: string; key: string } {
  const identifier = base32Of(randomBytes(10));
  return { identifier, key: `gantry_host_${identifier}_${base32Of(randomBytes(32))}` };
}

/** The identifier of what has the form of a reseller's key; undefined for everything else. */
export function resellerIdentifierOf(key: string): string | undefined {
  return /^gantry_host_([a-z2-7]{16})_[a-z2-7]{52}$/.exec(key)?.[1];
}

/** The identifier of what has the form of an API key; undefined for everything else. */
export function identifierOf(key: string): string | undefined {
  return /^gantry_([a-z2-7]{16})_[a-z2-7]{52}$/.exec(key)?.[1];
}
