// Deliveries that wait for a receiver, or for a webhook that is disabled, go at once and in order when it is back.
import { Migration } from '@mikro-orm/migrations';

export class WebhookRecovery extends Migration {
  override up(): void {
    this.addSql(`
      alter table webhook add column in_order_until timestamptz(3),
        add column off_since timestamptz(3)`);
    this.addSql('update webhook set off_since = coalesce(disabled_at, now()) where not is_enabled');
    this.addSql(`
      alter table webhook_delivery add column waits_for_receiver boolean not null default false,
        add column recovery_count integer not null default 0`);
    this.addSql(`
      update webhook_delivery set waits_for_receiver = true
      where status = 'pending' and last_outcome is not null and (last_outcome <> 'rejected'
        or last_status_code not between 400 and 499 or last_status_code in (408, 425, 429))`);
  }
}
