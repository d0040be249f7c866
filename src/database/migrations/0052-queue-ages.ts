// Lets backlogs be counted fast and seen: indexes for counting, the age of what waits, alarms for the operator.
import { Migration } from '@mikro-orm/migrations';

export class QueueAges extends Migration {
  override up(): void {
    // Sessions around a sighting or a wipe are found by these, however many of an instance wait or are known.
    this.addSql(`create index session_change_waiting on session_change (license_id, instance_id, started_at)
      where map_id is null and wipe_id is null`);
    this.addSql('create index on player_session (license_id, instance_id, started_at)');
    for (const table of ['session_change', 'map_sighting', 'player_session_due']) {
      this.addSql(`alter table ${table} add column queued_at timestamptz(3) not null default now()`);
      this.addSql(`create index on ${table} (queued_at)`);
    }
    this.addSql(`
      create table operator_alarm (
        subject text primary key,
        detail text not null,
        raised_at timestamptz(3) not null default now()
      )`);
  }
}
