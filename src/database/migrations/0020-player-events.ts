// Players and their sessions, roll-ups of what heartbeats say, and the states of instances over time.
import { Migration } from '@mikro-orm/migrations';
import { currentLicense } from '../../entities/tenant.ts';
import { keepLicensesApart } from './helpers/tenant-table.ts';

const statsColumns = `
  license_id uuid not null default ${currentLicense},
  instance_id uuid not null,
  bucket_at timestamptz(3) not null,
  map_id uuid not null,
  samples integer not null,
  running_samples integer not null,
  players_samples integer not null,
  players_sum bigint not null,
  players_min integer,
  players_max integer,
  fps_samples integer not null,
  fps_sum double precision not null,
  fps_min double precision,
  entities_samples integer not null,
  entities_sum bigint not null,
  entities_max integer`;
const statsKey = 'primary key (license_id, instance_id, bucket_at, map_id)';

export class PlayerEvents extends Migration {
  override up(): void {
    this.addSql('create unique index license_key_hash on license (sha256(key::bytea))');
    this.addSql(`
      alter table audit_entry drop constraint audit_entry_actor_kind_check,
        add constraint audit_entry_actor_kind_check
        check (actor_kind in ('anonymous', 'api_key', 'companion', 'job', 'plugin', 'system', 'user'))`);
    this.#createStats();
    this.#createPlayers();
    this.#createIntervals();
    this.#createPartitionCare();
  }

  #createStats(): void {
    this.addSql(`
      create table played_map (
        id uuid primary key default uuidv7(),
        license_id uuid not null default ${currentLicense} references license on delete cascade,
        name text not null,
        first_seen_at timestamptz(3) not null default now(),
        unique (license_id, name)
      )`);
    keepLicensesApart(this, 'played_map');
    this.addSql('alter table instance_stats add column map_id uuid');
    this.addSql(`
      create table instance_stats_5m (
        ${statsColumns},
        is_rolled_up boolean not null default false,
        ${statsKey}
      ) partition by range (bucket_at)`);
    this.addSql('create index on instance_stats_5m (bucket_at) where not is_rolled_up');
    this.addSql(
      `create table instance_stats_hour (${statsColumns}, ${statsKey}) partition by range (bucket_at)`,
    );
    this.addSql(`create table instance_stats_day (${statsColumns}, ${statsKey})`);
    for (const table of ['instance_stats_5m', 'instance_stats_hour', 'instance_stats_day'])
      keepLicensesApart(this, table);
  }

  #createPlayers(): void {
    this.addSql(`
      create table player (
        license_id uuid not null default ${currentLicense} references license on delete cascade,
        steam_id text not null,
        name text not null,
        first_seen_at timestamptz(3) not null,
        last_seen_at timestamptz(3) not null,
        primary key (license_id, steam_id)
      ) with (fillfactor = 80)`);
    this.addSql('create index on player (license_id, first_seen_at)');
    this.addSql(`
      create table player_name (
        license_id uuid not null default ${currentLicense},
        steam_id text not null,
        name text not null,
        first_seen_at timestamptz(3) not null,
        last_seen_at timestamptz(3) not null,
        primary key (license_id, steam_id, name),
        foreign key (license_id, steam_id) references player (license_id, steam_id) on delete cascade
      )`);
    this.addSql(`
      create table player_event (
        license_id uuid not null default ${currentLicense},
        event_id text not null,
        occurred_at timestamptz(3) not null,
        instance_id uuid not null,
        steam_id text not null,
        kind text not null check (kind in ('join', 'leave')),
        display_name text not null,
        received_at timestamptz(3) not null default now(),
        primary key (license_id, event_id, occurred_at)
      ) partition by range (occurred_at)`);
    this.addSql('create index on player_event (license_id, instance_id, steam_id, occurred_at)');
    this.addSql(`
      create table player_session (
        license_id uuid not null default ${currentLicense},
        instance_id uuid not null,
        steam_id text not null,
        started_at timestamptz(3) not null,
        ended_at timestamptz(3),
        last_sign_at timestamptz(3) not null,
        has_join boolean not null,
        end_reason text check (end_reason in ('leave', 'server_down', 'silence')),
        primary key (license_id, instance_id, steam_id, started_at),
        check (ended_at >= started_at),
        check ((ended_at is null) = (end_reason is null))
      ) partition by range (started_at)`);
    this.addSql('create index on player_session (license_id, started_at)');
    this.addSql('create index on player_session (license_id, instance_id, ended_at)');
    this.addSql('create index on player_session (last_sign_at) where ended_at is null');
    this.addSql(`
      create table player_session_due (
        license_id uuid not null default ${currentLicense},
        instance_id uuid not null,
        steam_id text not null,
        since timestamptz(3) not null,
        primary key (license_id, instance_id, steam_id)
      )`);
    for (const table of ['player', 'player_name', 'player_event', 'player_session', 'player_session_due'])
      keepLicensesApart(this, table);
  }

  #createIntervals(): void {
    this.addSql(`
      create table instance_state_interval (
        license_id uuid not null default ${currentLicense},
        instance_id uuid not null,
        from_at timestamptz(3) not null,
        to_at timestamptz(3),
        state text not null check (state in ('offline', 'stopped', 'starting', 'running', 'stopping', 'crashed')),
        boot_id uuid,
        seq bigint,
        primary key (license_id, instance_id, from_at),
        check (to_at > from_at),
        foreign key (license_id, instance_id) references game_instance (license_id, id) on delete cascade
      )`);
    this.addSql(
      'create unique index on instance_state_interval (license_id, instance_id) where to_at is null',
    );
    this.addSql(
      'create unique index on instance_state_interval (instance_id, boot_id, seq) where seq is not null',
    );
    this.addSql('create index on instance_state_interval (to_at)');
    keepLicensesApart(this, 'instance_state_interval');

    // What a stretch of time touches is derived anew, silences that it might break included. Whoever calls this holds
    // the instance's row, which whoever derives sessions shares: neither misses what the other has not committed yet.
    this.addSql(`
      create function derive_sessions_around(license uuid, instance uuid, begins timestamptz, ends timestamptz)
        returns void language sql as $$
        insert into player_session_due as due (license_id, instance_id, steam_id, since)
        select license, instance, session.steam_id, min(session.started_at) from player_session as session
        where session.license_id = license and session.instance_id = instance and session.started_at <= ends
          and (session.ended_at is null or session.ended_at >= begins
            or (session.end_reason = 'silence' and session.ended_at >= begins - interval '24 hours'))
        group by session.steam_id order by session.steam_id
        on conflict (license_id, instance_id, steam_id) do update set since = least(due.since, excluded.since)
      $$`);

    // A state begins at a moment that may lie anywhere in what is known: the order of reports does not matter.
    // Of several that begin at the same moment the last to be told by the agent counts.
    this.addSql(`
      create function note_instance_state(license uuid, instance uuid, told text, told_at timestamptz, boot uuid, told_seq bigint)
        returns void language plpgsql as $$
      declare
        at timestamptz(3) := told_at;
        ends timestamptz(3);
      begin
        if exists (select from instance_state_interval as known
          where known.instance_id = instance and known.boot_id = boot and known.seq = told_seq) then
          return;
        end if;
        select min(known.from_at) into ends from instance_state_interval as known
          where known.license_id = license and known.instance_id = instance and known.from_at > at;
        update instance_state_interval as known set to_at = at
          where known.license_id = license and known.instance_id = instance and known.from_at < at
            and (known.to_at is null or known.to_at > at);
        insert into instance_state_interval as known (license_id, instance_id, from_at, to_at, state, boot_id, seq)
          values (license, instance, at, ends, told, boot, told_seq)
          on conflict (license_id, instance_id, from_at) do update
            set state = excluded.state, boot_id = excluded.boot_id, seq = excluded.seq
            where known.seq is null or (excluded.boot_id, excluded.seq) > (known.boot_id, known.seq);
        perform derive_sessions_around(license, instance, at, coalesce(ends, at));
      end $$`);

    this.addSql(`
      create function follow_instance_state() returns trigger language plpgsql as $$
      declare
        newest instance_state_interval;
        started timestamptz(3);
        at timestamptz(3) := coalesce(new.state_at, new.last_seen_at);
      begin
        select * into newest from instance_state_interval as known
          where known.license_id = new.license_id and known.instance_id = new.id and known.to_at is null;
        if new.state = 'offline' then
          at := new.last_seen_at;
        elsif tg_op = 'INSERT' or (new.state_boot_id, new.state_seq) is distinct from (old.state_boot_id, old.state_seq) then
          perform note_instance_state(new.license_id, new.id, new.state, at, new.state_boot_id, new.state_seq);
          return null;
        elsif new.state = 'running' and newest.state = 'offline' then
          -- What a heartbeat says of the process reaches back into the time in which nothing was heard.
          started := new.last_seen_at - make_interval(secs => new.uptime_seconds);
          if started <= newest.from_at and exists (select from instance_state_interval as known
            where known.license_id = new.license_id and known.instance_id = new.id
              and known.to_at = newest.from_at and known.state = 'running') then
            delete from instance_state_interval as known where known.license_id = new.license_id
              and known.instance_id = new.id and known.from_at = newest.from_at;
            update instance_state_interval as known set to_at = null where known.license_id = new.license_id
              and known.instance_id = new.id and known.to_at = newest.from_at;
            perform derive_sessions_around(new.license_id, new.id, newest.from_at, newest.from_at);
            return null;
          end if;
          at := least(at, started);
        end if;
        perform note_instance_state(new.license_id, new.id, new.state,
          greatest(at, newest.from_at + interval '1 millisecond'), null, null);
        return null;
      end $$`);
    this.addSql(`
      insert into instance_state_interval (license_id, instance_id, from_at, state)
      select license_id, id, coalesce(state_at, last_seen_at), state from game_instance`);
    this.addSql(`
      create trigger state_followed after insert on game_instance
      for each row execute function follow_instance_state()`);
    this.addSql(`
      create trigger state_change_followed after update on game_instance
      for each row when (old.state is distinct from new.state) execute function follow_instance_state()`);
  }

  #createPartitionCare(): void {
    this.addSql(`
      create or replace function create_month_partitions(parent text, first_month date, months integer) returns void
      language plpgsql set timezone = 'UTC' as $$
      declare
        starts date := date_trunc('month', first_month);
        partition text;
      begin
        for i in 1..months loop
          partition := parent || to_char(starts, '_YYYY_MM');
          if to_regclass(format('%I', partition)) is null then
            execute format('create table %I partition of %I for values from (%L) to (%L) %s',
              partition, parent, starts, starts + interval '1 month',
              case when parent = 'instance_stats_5m' then 'with (fillfactor = 70)' end);
            execute format('alter table %I enable row level security', partition);
            if parent = 'audit_entry' then perform keep_append_only(partition); end if;
          end if;
          starts := starts + interval '1 month';
        end loop;
      end $$`);

    // Waits a moment for whoever reads there; what can't be dropped now is dropped the next time.
    this.addSql(`
      create function drop_month_partitions(parent text, kept_days integer) returns void
      language plpgsql set timezone = 'UTC' set lock_timeout = '1s' as $$
      declare
        partition text;
      begin
        for partition in
          select relname from pg_inherits join pg_class on pg_class.oid = inhrelid
          where inhparent = parent::regclass
            and to_date(right(relname, 7), 'YYYY_MM') + interval '1 month' <= current_date - kept_days
        loop
          execute format('drop table %I', partition);
        end loop;
      exception when lock_not_available then
        raise notice '% is in use', partition;
      end $$`);
  }
}
