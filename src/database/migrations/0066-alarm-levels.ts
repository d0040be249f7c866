// Lets alarms be raised again when what they are about has doubled, and end only once it is over for some minutes.
import { Migration } from '@mikro-orm/migrations';

export class AlarmLevels extends Migration {
  override up(): void {
    // What is still wrong is raised again by the next look.
    this.addSql('delete from operator_alarm');
    this.addSql(`
      alter table operator_alarm
        add column level double precision not null check (level > 0),
        add column confirmed_at timestamptz(3) not null default now()`);
  }
}
