// Keeps when players are next told of a run of a schedule, and up to when they have been told.
import { Migration } from '@mikro-orm/migrations';

export class ScheduleCountdowns extends Migration {
  override up(): void {
    this.addSql(`
      alter table schedule add column next_announcement_at timestamptz(3),
        add column announced_until timestamptz(3),
        add check (next_run_at is not null or next_announcement_at is null)`);
    this.addSql('create index on schedule (next_announcement_at, id) where next_announcement_at is not null');
  }
}
