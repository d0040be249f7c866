// Remembers which hosts were cut off the bus because they sent far too much.
import { Migration } from '@mikro-orm/migrations';

export class FloodingHosts extends Migration {
  override up(): void {
    this.addSql('alter table agent_host add column flooded_at timestamptz(3)');
    this.addSql('create index on agent_host (license_id, flooded_at) where flooded_at is not null');
  }
}
