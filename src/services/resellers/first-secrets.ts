// A new license's key and companion token, encrypted for 24 hours for resellers that lost the response.
import { hashSecret } from '../../secrets/random-secrets.ts';
import { purposes, SecretCipher } from '../../secrets/encryption.ts';
import type { ResoldLicenseRow } from './resold-licenses.ts';

/** Each is `null` once it was replaced, and both are after 24 hours. */
export interface Secrets {
  licenseKey: string | null;
  companionToken: string | null;
}

const keptHours = 24;

/** SQL condition: whether the secrets of a reseller's license have expired. */
export const hasOldSecrets = `sealed_secrets is not null and created_at < now() - interval '${keptHours} hours'`;

export class FirstSecrets {
  readonly #cipher: SecretCipher;

  constructor(secret: string) {
    this.#cipher = new SecretCipher(secret, purposes.provisionedLicense);
  }

  /** Returns the encrypted secrets as base64. */
  encrypt(resellerId: string, serverId: string, secrets: Secrets): string {
    return this.#cipher.encrypt(JSON.stringify(secrets), subjectOf(resellerId, serverId)).toString('base64');
  }

  /**
   * Returns those secrets that are still the license's. Secrets that its owner has created since are never disclosed.
   */
  of(resellerId: string, row: ResoldLicenseRow): Secrets {
    if (row.sealed_secrets === null || Date.parse(row.created_at) < Date.now() - keptHours * 3_600_000)
      return { licenseKey: null, companionToken: null };
    const { licenseKey, companionToken } = JSON.parse(
      this.#cipher.decrypt(row.sealed_secrets, subjectOf(resellerId, row.server_id)),
    ) as { licenseKey: string; companionToken: string };
    return {
      licenseKey: licenseKey === row.key ? licenseKey : null,
      companionToken: hashSecret(companionToken) === row.companion_token_hash ? companionToken : null,
    };
  }
}

const subjectOf = (resellerId: string, serverId: string) => `${resellerId} ${serverId}`;
