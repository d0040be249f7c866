// Deliveries of webhooks keep how each attempt went, and attempts fail for secrets that can not be read.
import { Migration } from '@mikro-orm/migrations';

const outcomes = `('succeeded', 'rejected', 'timed_out', 'connection_failed', 'unresolved', 'address_refused',
  'url_refused', 'secret_unreadable')`;

export class WebhookAttempts extends Migration {
  override up(): void {
    this.addSql(`
      alter table webhook drop constraint webhook_last_status_check,
        add constraint webhook_last_status_check check (last_status in ${outcomes})`);
    this.addSql(`
      alter table webhook_delivery drop constraint webhook_delivery_last_outcome_check,
        add constraint webhook_delivery_last_outcome_check check (last_outcome in ${outcomes}),
        add column attempts jsonb not null default '[]'`);
    // Of attempts before these the last one is known.
    this.addSql(`
      update webhook_delivery set attempts = jsonb_build_array(jsonb_build_object(
        'at', to_char(last_attempt_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'outcome', last_outcome,
        'status_code', last_status_code, 'duration_ms', last_duration_ms, 'detail', detail))
      where last_outcome is not null`);
  }
}
