// Closed months of sessions and stats in the storage: which exist, and the numbers that stand for players in them.
import { Migration } from '@mikro-orm/migrations';
import { currentLicense } from '../../entities/tenant.ts';
import { keepLicensesApart } from './helpers/tenant-table.ts';

export class ArchivedMonths extends Migration {
  override up(): void {
    this.addSql('alter table stored_file drop constraint stored_file_kind_check');
    this.addSql(`alter table stored_file add check (kind in ('maps', 'archive'))`);
    this.addSql(`
      create table archived_month (
        license_id uuid not null default ${currentLicense} references license on delete cascade,
        source text not null check (source in ('sessions', 'stats_5m', 'stats_hours')),
        month date not null check (month = date_trunc('month', month)),
        file_id uuid not null,
        row_count bigint not null check (row_count > 0),
        bytes bigint not null check (bytes > 0),
        sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
        created_at timestamptz(3) not null default now(),
        primary key (license_id, source, month),
        foreign key (license_id, file_id) references stored_file (license_id, id)
      )`);
    this.addSql('create index on archived_month (license_id, file_id)');
    this.addSql('create index on archived_month (month)');
    // Without its row, nothing leads from a number to its player.
    this.addSql(`
      create table archived_player (
        license_id uuid not null default ${currentLicense},
        steam_id text not null,
        number bigint not null generated always as identity,
        primary key (license_id, steam_id),
        foreign key (license_id, steam_id) references player (license_id, steam_id) on delete cascade
      )`);
    for (const table of ['archived_month', 'archived_player']) keepLicensesApart(this, table);
    // What every license has in the archive is not looked for again.
    this.addSql(`
      create table archive_completion (
        source text not null check (source in ('sessions', 'stats_5m', 'stats_hours')),
        month date not null,
        completed_at timestamptz(3) not null default now(),
        primary key (source, month)
      )`);
  }
}
