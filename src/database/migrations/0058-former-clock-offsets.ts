// Keeps the clock offset of a host's heartbeat before the last, so that one reading alone raises no alert.
import { Migration } from '@mikro-orm/migrations';

export class FormerClockOffsets extends Migration {
  override up(): void {
    this.addSql('alter table agent_host add column former_clock_offset_ms bigint');
  }
}
