// Lets the relay of the event log queue the notifications of alerts, as it queues the deliveries of webhooks.
import { Migration } from '@mikro-orm/migrations';

export class NotificationsFromTheLog extends Migration {
  override up(): void {
    this.addSql('alter table notification_channel add column from_seq bigint not null default 0');
    // An enabled channel gets what happens from then on.
    this.addSql(`
      create trigger event_relay_begun before insert on notification_channel
      for each row execute function begin_event_relay()`);
    this.addSql(`
      create trigger event_relay_resumed before update of is_enabled on notification_channel
      for each row when (new.is_enabled and not old.is_enabled) execute function begin_event_relay()`);
    this.addSql(`
      insert into event_relay (license_id, seq, at)
      select license.id, coalesce(last_seq, 0), coalesce(last_at, now())
      from license left join event_sequence on license_id = license.id
      where exists (select from notification_channel as channel where channel.license_id = license.id)
      on conflict do nothing`);
  }
}
