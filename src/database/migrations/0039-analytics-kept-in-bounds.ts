// What analytics count from is found by its day, so that it can be deleted in batches; players are counted as they come.
import { Migration } from '@mikro-orm/migrations';

export class AnalyticsKeptInBounds extends Migration {
  override up(): void {
    this.addSql('create index on domain_event (occurred_at)');
    this.addSql('create index on session_quarter (quarter_at)');
    this.addSql('create index on map_day (day)');
    // Sums of all days lie at `-infinity` and stay.
    for (const table of ['session_day', 'player_day', 'player_day_count', 'player_return'])
      this.addSql(`create index on ${table} (day) where day > '-infinity'`);
    this.addSql('alter table wipe_retention add column has_players boolean not null default true');
    this.addSql('create index on wipe_retention (wiped_at) where has_players');
    this.addSql('alter table player add column created_at timestamptz(3)');
    this.addSql('update player set created_at = first_seen_at');
    this.addSql(
      'alter table player alter column created_at set default now(), alter column created_at set not null',
    );
    this.addSql('create index on player (license_id, created_at)');
    this.addSql('create index on player (last_seen_at)');
  }
}
