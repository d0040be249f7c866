// Lets PostgreSQL update hosts in place: an index on the time of the last heartbeat made it write every index again.
import { Migration } from '@mikro-orm/migrations';

export class HostsUpdatedInPlace extends Migration {
  override up(): void {
    // Looking for silent hosts reads the table instead, once in a while and not with each heartbeat.
    this.addSql('drop index agent_host_last_heartbeat_at_idx');
    this.addSql('alter table agent_host set (fillfactor = 70)');
  }
}
