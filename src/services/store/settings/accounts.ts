// The payment accounts of licenses; their secrets are encrypted at rest and decrypted only for use.
import type { Queries } from '../../../database/reader.ts';
import { ago, keptDays } from '../../../queue/retention-periods.ts';
import { purposes, SecretCipher } from '../../../secrets/encryption.ts';

export interface AccountSecrets {
  secretKey: string;
  webhookSecret: string;
}

export interface Account extends AccountSecrets {
  id: string;
  /** A retired account only serves orders that were made with it. */
  isRetired: boolean;
}

/** Maximum accounts whose callbacks are accepted. */
const maxAccounts = 20;

/** SQL condition on `account`: it is retired and no more reports on its orders can arrive, so it may be deleted. */
export const isForgottenAccount = `retired_at < ${ago(keptDays.store_account)} and not exists (
    select from store_order as bought where bought.license_id = account.license_id
      and bought.account_id = account.id and bought.next_ask_at is not null)`;

export class StoreSecrets {
  readonly #cipher: SecretCipher;

  constructor(encryptionSecret: string) {
    this.#cipher = new SecretCipher(encryptionSecret, purposes.storeAccount);
  }

  close(licenseId: string, { secretKey, webhookSecret }: AccountSecrets) {
    return {
      secretKey: this.#cipher.encrypt(secretKey, `${licenseId} key`),
      webhookSecret: this.#cipher.encrypt(webhookSecret, `${licenseId} webhook`),
    };
  }

  open(licenseId: string, encrypted: { secretKey: Uint8Array; webhookSecret: Uint8Array }): AccountSecrets {
    return {
      secretKey: this.#cipher.decrypt(encrypted.secretKey, `${licenseId} key`),
      webhookSecret: this.#cipher.decrypt(encrypted.webhookSecret, `${licenseId} webhook`),
    };
  }

  /** The accounts of the license, within its scope: the current one first, then retired ones, newest first. */
  async list(queries: Queries, licenseId: string): Promise<Account[]> {
    const accounts = await queries
      .selectFrom('store_account')
      .select(['id', 'secret_key', 'webhook_secret', 'retired_at'])
      .where('license_id', '=', licenseId)
      .where('provider', '=', 'stripe')
      .orderBy('retired_at', (order) => order.desc().nullsFirst())
      .limit(maxAccounts)
      .execute();
    return accounts.map((account) => ({
      id: account.id,
      isRetired: account.retired_at !== null,
      ...this.open(licenseId, {
        secretKey: account.secret_key,
        webhookSecret: account.webhook_secret,
      }),
    }));
  }
}
