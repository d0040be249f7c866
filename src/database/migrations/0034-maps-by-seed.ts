// Played maps are told apart by seed, size and file; those of before are known by their names alone.
import { Migration } from '@mikro-orm/migrations';

export class MapsBySeed extends Migration {
  override up(): void {
    this.addSql(`
      alter table played_map add column key text,
        add column last_seen_at timestamptz(3) not null default now()`);
    this.addSql('update played_map set key = name');
    this.addSql('alter table played_map alter column key set not null');
    this.addSql('alter table played_map drop constraint played_map_license_id_name_key');
    this.addSql('alter table played_map add unique (license_id, key)');
    this.addSql('create index on played_map (license_id, first_seen_at)');
    this.addSql('create index on played_map (last_seen_at)');
  }
}
