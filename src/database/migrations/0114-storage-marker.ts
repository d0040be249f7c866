// The marker of the storage that all processes use; the first process that finds none creates it.
import { Migration } from '@mikro-orm/migrations';

export class StorageMarkers extends Migration {
  override up(): void {
    this.addSql(`
      create table storage_marker (
        is_only_row boolean primary key default true check (is_only_row),
        id uuid not null,
        created_at timestamptz(3) not null default now()
      )`);
  }
}
