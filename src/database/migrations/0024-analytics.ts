// What analytics answer from: queues of what has changed, and counts that are kept up with them.
import { Migration } from '@mikro-orm/migrations';
import { currentLicense } from '../../entities/tenant.ts';
import { keepLicensesApart } from './helpers/tenant-table.ts';

const license = `license_id uuid not null default ${currentLicense}`;

export class Analytics extends Migration {
  override up(): void {
    this.#createQueues();
    this.#createMaps();
    this.#createSessions();
    this.#createPlayers();
    this.#createWipes();
    this.#followSources();
  }

  #createTable(name: string, columns: string): void {
    this.addSql(`create table ${name} (${license}, ${columns})`);
    keepLicensesApart(this, name);
  }

  #createQueues(): void {
    this.#createTable(
      'session_change',
      `id bigint generated always as identity,
       sign integer not null,
       instance_id uuid not null,
       steam_id text not null,
       started_at timestamptz(3) not null,
       ended_at timestamptz(3),
       has_join boolean not null,
       map_id uuid,
       wipe_id uuid,
       primary key (license_id, id)`,
    );
    this.#createTable(
      'map_sighting',
      `id bigint generated always as identity,
       instance_id uuid not null,
       map_id uuid not null,
       bucket_at timestamptz(3) not null,
       primary key (license_id, id)`,
    );
  }

  #createMaps(): void {
    this.#createTable(
      'map_day',
      `instance_id uuid not null,
       map_id uuid not null,
       day date not null,
       slots bit varying not null check (bit_length(slots) = 288),
       primary key (license_id, instance_id, day, map_id)`,
    );
    this.addSql('create index on map_day (license_id, day)');
    this.#createTable(
      'map_month',
      `map_id uuid not null,
       month date not null,
       slots bigint not null,
       players_samples bigint not null,
       players_sum bigint not null,
       players_max integer,
       primary key (license_id, month, map_id)`,
    );
    this.addSql('create index on instance_stats_day (license_id, bucket_at)');
  }

  #createSessions(): void {
    this.addSql('create index on player_session (license_id, steam_id, started_at)');
    this.#createTable(
      'session_day',
      `scope_id uuid not null,
       day date not null,
       length_class integer not null,
       sessions bigint not null,
       milliseconds bigint not null,
       primary key (license_id, scope_id, day, length_class)`,
    );
    this.#createTable(
      'session_quarter',
      `scope_id uuid not null,
       quarter_at timestamptz(3) not null,
       milliseconds bigint not null,
       primary key (license_id, scope_id, quarter_at)`,
    );
  }

  #createPlayers(): void {
    this.#createTable(
      'player_day',
      `scope_id uuid not null,
       steam_id text collate "C" not null,
       day date not null,
       sessions integer not null,
       primary key (license_id, scope_id, steam_id, day)`,
    );
    this.addSql('create index on player_day (license_id) where sessions = 0');
    this.#createTable(
      'player_day_count',
      `scope_id uuid not null,
       day date not null,
       players bigint not null,
       new_players bigint not null,
       primary key (license_id, scope_id, day)`,
    );
    this.#createTable(
      'player_return',
      `scope_id uuid not null,
       day date not null,
       gap integer not null check (gap between 1 and 366),
       players bigint not null,
       primary key (license_id, scope_id, day, gap)`,
    );
  }

  #createWipes(): void {
    this.#createTable(
      'wipe_retention',
      `wipe_id uuid not null,
       instance_id uuid not null,
       wiped_at timestamptz(3) not null,
       is_counted boolean not null default false,
       cohort bigint not null default 0,
       second_day bigint not null default 0,
       third_day bigint not null default 0,
       fourth_day bigint not null default 0,
       primary key (license_id, wipe_id)`,
    );
    this.addSql('create index on wipe_retention (license_id, wiped_at)');
    this.addSql('create index on wipe_retention (license_id, instance_id, wiped_at)');
    this.addSql('create index on wipe_retention (license_id) where not is_counted');
    this.#createTable(
      'wipe_player',
      `wipe_id uuid not null,
       steam_id text collate "C" not null,
       first_day integer not null,
       second_day integer not null,
       third_day integer not null,
       fourth_day integer not null,
       primary key (license_id, wipe_id, steam_id)`,
    );
  }

  #followSources(): void {
    const columns = 'license_id, instance_id, steam_id, started_at, ended_at, has_join';
    const noteFrom = (sign: string, rows: string) =>
      `insert into session_change (sign, ${columns}) select ${sign}, ${columns} from ${rows};`;
    this.addSql(`
      create function note_new_sessions() returns trigger language plpgsql as $$
      begin ${noteFrom('1', 'new_rows')} return null; end $$`);
    this.addSql(`
      create function note_gone_sessions() returns trigger language plpgsql as $$
      begin ${noteFrom('-1', 'old_rows')} return null; end $$`);
    this.addSql(`
      create function note_changed_sessions() returns trigger language plpgsql as $$
      begin
        ${noteFrom('-1', `(select ${columns} from old_rows except select ${columns} from new_rows) as gone`)}
        ${noteFrom('1', `(select ${columns} from new_rows except select ${columns} from old_rows) as come`)}
        return null;
      end $$`);
    this.addSql(`
      create trigger new_sessions_noted after insert on player_session referencing new table as new_rows
      for each statement execute function note_new_sessions()`);
    this.addSql(`
      create trigger gone_sessions_noted after delete on player_session referencing old table as old_rows
      for each statement execute function note_gone_sessions()`);
    this.addSql(`
      create trigger changed_sessions_noted after update on player_session
      referencing old table as old_rows new table as new_rows
      for each statement execute function note_changed_sessions()`);

    // Once for each five minutes, instance and map: heartbeats that only add to them are updates.
    this.addSql(`
      create function note_map() returns trigger language plpgsql as $$
      begin
        insert into map_sighting (license_id, instance_id, map_id, bucket_at)
          values (new.license_id, new.instance_id, new.map_id, new.bucket_at);
        return null;
      end $$`);
    this.addSql(`
      create trigger map_noted after insert on instance_stats_5m for each row
      when (new.map_id <> '00000000-0000-0000-0000-000000000000') execute function note_map()`);

    this.addSql(`
      create function note_wipe() returns trigger language plpgsql as $$
      begin
        insert into wipe_retention (license_id, wipe_id, instance_id, wiped_at)
          values (new.license_id, new.id, new.instance_id, new.finished_at) on conflict do nothing;
        return null;
      end $$`);
    this.addSql(`
      create trigger wipe_noted after insert or update of status on wipe_history for each row
      when (new.status = 'completed' and new.instance_id is not null) execute function note_wipe()`);

    this.addSql(`insert into session_change (sign, ${columns}) select 1, ${columns} from player_session`);
    this.addSql(`
      insert into map_sighting (license_id, instance_id, map_id, bucket_at)
      select license_id, instance_id, map_id, bucket_at from instance_stats_5m
      where map_id <> '00000000-0000-0000-0000-000000000000'`);
    this.addSql(`
      insert into wipe_retention (license_id, wipe_id, instance_id, wiped_at)
      select license_id, id, instance_id, finished_at from wipe_history
      where status = 'completed' and instance_id is not null`);
  }
}
