// When a game instance crashed last, and alerts that end late and may come back.
import { Migration } from '@mikro-orm/migrations';

export class AlertsThatComeBack extends Migration {
  override up(): void {
    this.addSql(
      'alter table game_instance add column crashed_at timestamptz(3), add column crash_told_at timestamptz(3)',
    );
    this.addSql(
      'alter table alert add column reopened_at timestamptz(3), add column well_since timestamptz(3)',
    );
    this.addSql('alter table alert drop constraint alert_end_reason_check');
    this.addSql(`
      alter table alert add constraint alert_end_reason_check
        check (end_reason in ('recovered', 'settled', 'turned_off', 'gone'))`);
    this.addSql('drop index alert_raised_at_idx');
    this.addSql('create index on alert (ended_at)');
    // It is told anew when it comes back.
    this.addSql('alter table notification drop constraint notification_channel_id_alert_id_event_key');
  }
}
