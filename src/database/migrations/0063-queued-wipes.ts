// Has it known for how long wipes wait to be counted.
import { Migration } from '@mikro-orm/migrations';

export class QueuedWipes extends Migration {
  override up(): void {
    this.addSql('alter table wipe_retention add column queued_at timestamptz(3) not null default now()');
    this.addSql('create index on wipe_retention (queued_at) where not is_counted');
  }
}
