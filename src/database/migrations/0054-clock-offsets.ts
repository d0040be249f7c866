// Has hosts show by how much their clock is off.
import { Migration } from '@mikro-orm/migrations';

export class ClockOffsets extends Migration {
  override up(): void {
    this.addSql('alter table agent_host add column clock_offset_ms bigint');
  }
}
