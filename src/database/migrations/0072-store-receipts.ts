// Buyers may leave an e-mail address for a receipt: orders keep it, and what was written to it.
import { Migration } from '@mikro-orm/migrations';

export class StoreReceipts extends Migration {
  override up(): void {
    this.addSql(`
      alter table store_order
        add column receipt_email text check (length(receipt_email) <= 254),
        add column receipt_status text check (receipt_status in ('waiting', 'queued', 'withheld')),
        add column receipt_at timestamptz(3),
        add column refund_mailed_minor bigint not null default 0,
        add column refund_mail_count smallint not null default 0`);
    // What the limits of a license count.
    this.addSql(`
      create index store_order_receipt_at_index on store_order (license_id, receipt_at) where receipt_at is not null`);
    // What is to be forgotten, with one limit of age for each.
    this.addSql(`
      create index store_order_paid_address_index on store_order (created_at)
      where receipt_email is not null and paid_at is not null`);
    this.addSql(`
      create index store_order_unpaid_address_index on store_order (created_at)
      where receipt_email is not null and paid_at is null`);
  }
}
