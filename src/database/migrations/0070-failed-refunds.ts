// Refunds that fail later are undone: orders keep what their refunded amount follows from.
import { Migration } from '@mikro-orm/migrations';

export class FailedRefunds extends Migration {
  override up(): void {
    this.addSql(`alter table store_order add column refunds jsonb not null default '[]'`);
    this.addSql(`
      update store_order set refunds = jsonb_build_array(jsonb_build_object('at', 0, 'amountMinor', refunded_minor))
      where refunded_minor > 0`);
    this.addSql(`
      alter table store_payment_event add column occurred_at timestamptz(3),
        drop constraint store_payment_event_kind_check,
        add constraint store_payment_event_kind_check check (kind in
          ('paid', 'failed', 'expired', 'refunded', 'refund_failed', 'dispute_opened', 'dispute_won', 'dispute_lost'))`);
  }
}
