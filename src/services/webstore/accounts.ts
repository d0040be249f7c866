// The accounts that licenses take payments with. Their secrets are sealed for the license, and opened to be used only.
import type { Queries } from '../../database/reader.ts';
import { Seal } from '../sealing.ts';

export interface AccountSecrets {
  secretKey: string;
  webhookSecret: string;
}

export class StoreSecrets {
  readonly #seal: Seal;

  constructor(sealingSecret: string) {
    this.#seal = new Seal(sealingSecret, 'gantry store account');
  }

  close(licenseId: string, { secretKey, webhookSecret }: AccountSecrets) {
    return {
      secretKey: this.#seal.close(secretKey, `${licenseId} key`),
      webhookSecret: this.#seal.close(webhookSecret, `${licenseId} webhook`),
    };
  }

  /** Those of the license, within its scope; undefined unless it has set them. */
  async read(queries: Queries, licenseId: string): Promise<AccountSecrets | undefined> {
    const account = await queries
      .selectFrom('store_account')
      .select(['secret_key', 'webhook_secret'])
      .where('license_id', '=', licenseId)
      .where('provider', '=', 'stripe')
      .executeTakeFirst();
    return (
      account && {
        secretKey: this.#seal.open(account.secret_key, `${licenseId} key`),
        webhookSecret: this.#seal.open(account.webhook_secret, `${licenseId} webhook`),
      }
    );
  }
}
