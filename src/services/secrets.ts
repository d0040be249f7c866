// Makes and hashes the secrets that the platform hands out once.
import { createHash, randomBytes, randomInt } from 'node:crypto';

/** A secret with 256 bits of chance behind a prefix that says what it is for. */
export function createSecret(prefix: string): string {
  return `${prefix}${randomBytes(32).toString('base64url')}`;
}

/** How such a secret is stored. It has too much chance in it to be guessed, so a plain hash is enough. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const crockfordText = (length: number) =>
  Array.from({ length }, () => crockford[randomInt(crockford.length)]).join('');

/** Four groups for people to write down, 80 bits of chance. */
export function createRecoveryCode(): string {
  return Array.from({ length: 4 }, () => crockfordText(4)).join('-');
}

/** A license key: five groups that people can read to each other, 125 bits of chance. */
export function createLicenseKey(): string {
  return `GNTRY-${Array.from({ length: 5 }, () => crockfordText(5)).join('-')}`;
}
