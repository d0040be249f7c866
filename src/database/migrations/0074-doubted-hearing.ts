// Has replicas of ingest tell each other when heartbeats may have been lost, so that hosts are asked before they are judged.
import { Migration } from '@mikro-orm/migrations';

export class DoubtedHearing extends Migration {
  override up(): void {
    this.addSql('alter table ingest_listener add column doubted_at timestamptz');
  }
}
