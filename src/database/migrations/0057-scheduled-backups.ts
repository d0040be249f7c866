// Remembers which schedule made a backup: the schedule says how many of its backups are kept.
import { Migration } from '@mikro-orm/migrations';

export class ScheduledBackups extends Migration {
  override up(): void {
    this.addSql(`
      alter table instance_backup add column schedule_id uuid,
        add foreign key (license_id, schedule_id) references schedule (license_id, id)
          on delete set null (schedule_id)`);
    this.addSql('create index on instance_backup (license_id, schedule_id) where schedule_id is not null');
  }
}
