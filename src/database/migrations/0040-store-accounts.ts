// Keeps accounts that were replaced for the orders made with them, and notes what is still to be asked about payments.
import { Migration } from '@mikro-orm/migrations';

export class StoreAccounts extends Migration {
  override up(): void {
    this.addSql(`
      alter table store_account
        add column retired_at timestamptz(3),
        drop constraint store_account_license_id_provider_key,
        add unique (license_id, id)`);
    this.addSql(
      `create unique index store_account_in_use on store_account (license_id, provider) where retired_at is null`,
    );
    this.addSql(`
      alter table store_order
        add column account_id uuid,
        add column checkout_attempt integer not null default 0,
        add column next_ask_at timestamptz(3),
        add column problem text,
        add column warned_at timestamptz(3),
        add foreign key (license_id, account_id) references store_account (license_id, id)
          on delete set null (account_id)`);
    this.addSql(`
      update store_order set account_id = account.id,
        next_ask_at = case when status = 'pending' and checkout_reference is not null then now() end
      from store_account as account
      where account.license_id = store_order.license_id and account.provider = store_order.provider`);
    this.addSql('create index on store_order (license_id, account_id)');
    this.addSql('create index on store_order (next_ask_at) where next_ask_at is not null');
  }
}
