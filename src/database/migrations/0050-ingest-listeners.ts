// Has replicas of ingest tell each other since when they listen, so that none takes another's pause for silence.
import { Migration } from '@mikro-orm/migrations';

export class IngestListeners extends Migration {
  override up(): void {
    this.addSql(`
      create table ingest_listener (
        id uuid primary key,
        listening_since timestamptz not null,
        confirmed_at timestamptz not null
      )`);
  }
}
