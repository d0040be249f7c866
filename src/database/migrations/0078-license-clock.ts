// Dates rows that users see in the time of their license, which is ahead of real time in a sandbox with a moved clock.
import { Migration } from '@mikro-orm/migrations';

const tables = [
  'module_purchase',
  'player_action',
  'schedule_run',
  'store_order',
  'subscription',
  'wipe_history',
];

export class LicenseClock extends Migration {
  override up(): void {
    for (const table of tables)
      this.addSql(`alter table ${table} alter column created_at set default license_now()`);
    this.addSql('create index on schedule (license_id, next_run_at)');
  }
}
