// Generates and hashes the secrets that the platform shows once.
import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

/** A secret of 256 random bits with a prefix that names its purpose. */
export function createSecret(prefix: string): string {
  return `${prefix}${randomBytes(32).toString('base64url')}`;
}

const companionPrefix = 'gantry_companion_';

export const createCompanionToken = (): string => createSecret(companionPrefix);

/** A code that enrolls one host. */
export const createEnrolmentCode = (): string => createSecret('gantry_enrol_');

/** Whether the text can be a companion token. */
export const looksLikeCompanionToken = (text: string): boolean => text.startsWith(companionPrefix);

/** The stored form of such a secret. It has too much entropy to be guessed, so a plain hash is enough. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Compares the secret with its hash in constant time. */
export function isHashOf(hash: string, secret: string): boolean {
  const [kept, presented] = [Buffer.from(hash, 'hex'), Buffer.from(hashSecret(secret), 'hex')];
  return kept.length === presented.length && timingSafeEqual(kept, presented);
}

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const crockfordText = (length: number) =>
  Array.from({ length }, () => crockford[randomInt(crockford.length)]).join('');

/** Four groups that people can write down; 80 bits of entropy. */
export function createRecoveryCode(): string {
  return Array.from({ length: 4 }, () => crockfordText(4)).join('-');
}

/** A generated password; 120 bits of entropy. */
export function createPassword(): string {
  return randomBytes(15).toString('base64url');
}

/** A random suffix that keeps a subdomain unique. */
export function createSlugEnd(): string {
  return crockfordText(8).toLowerCase();
}

/** A license key: five groups that people can read aloud; 125 bits of entropy. */
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

/**
 * An API key: a public identifier for lookup and display, and a secret of 256 bits. The keys of sandboxes have a prefix
 * of their own.
 */
export function createApiKey({ isTest = false } = {}): { identifier: string; key: string } {
  const identifier = base32Of(randomBytes(10));
  const prefix = isTest ? 'gantry_test_' : 'gantry_';
  return { identifier, key: `${prefix}${identifier}_${base32Of(randomBytes(32))}` };
}

/** A reseller's key. Its form differs from that of an API key, so that neither passes for the other. */
export function createResellerKey(): { identifier: string; key: string } {
  const identifier = base32Of(randomBytes(10));
  return { identifier, key: `gantry_host_${identifier}_${base32Of(randomBytes(32))}` };
}

/** The identifier of a text in the form of a reseller's key; undefined for any other text. */
export function resellerIdentifierOf(key: string): string | undefined {
  return /^gantry_host_([a-z2-7]{16})_[a-z2-7]{52}$/.exec(key)?.[1];
}

/** The identifier of a text in the form of an API key; undefined for any other text. */
export function identifierOf(key: string): string | undefined {
  return /^gantry_(?:test_)?([a-z2-7]{16})_[a-z2-7]{52}$/.exec(key)?.[1];
}
