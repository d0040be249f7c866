// The event log: drafts of the running transactions, the numbers of each license, and the log by day.
import { Migration } from '@mikro-orm/migrations';
import { currentLicense } from '../../entities/tenant.ts';
import { keepLicensesApart } from './helpers/tenant-table.ts';

const attribution = `nullif(current_setting('app.attribution', true), '')::jsonb`;

export class EventLog extends Migration {
  override up(): void {
    this.#createTables();
    this.#createPartitionCare();
    this.#numberDrafts();
    this.#changeWebhooks();
    this.#moveFormerEvents();
    this.#serveFormerPrograms();
  }

  #createTables(): void {
    // Empty once a transaction has committed, so that nothing of it must survive a crash.
    this.addSql(`
      create unlogged table event_draft (
        id bigint generated always as identity primary key,
        xact xid8 not null default pg_current_xact_id(),
        license_id uuid not null default ${currentLicense},
        type text not null,
        subject_type text not null,
        subject_id text not null,
        instance_id uuid,
        host_id uuid,
        occurred_at timestamptz(3) not null default now(),
        actor_kind text default ${attribution} ->> 'actor_kind',
        actor_label text default ${attribution} ->> 'actor_label',
        data jsonb not null check (pg_column_size(data) <= 65536)
      ) with (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0)`);
    this.addSql('create index on event_draft (xact)');
    keepLicensesApart(this, 'event_draft', { rights: 'select, insert' });

    // No index on the columns that change, so that updates need none either.
    this.addSql(`
      create table event_sequence (
        license_id uuid primary key default ${currentLicense} references license on delete cascade,
        last_seq bigint not null,
        last_id uuid not null,
        last_at timestamptz(3) not null
      ) with (fillfactor = 50)`);
    keepLicensesApart(this, 'event_sequence', { rights: 'select' });

    this.addSql(`
      create table event_relay (
        license_id uuid primary key default ${currentLicense} references license on delete cascade,
        seq bigint not null,
        at timestamptz(3) not null
      ) with (fillfactor = 50)`);
    keepLicensesApart(this, 'event_relay', { rights: 'select, update' });

    // Services add to it through drafts only. A trigger that refuses every change, as the audit log has, would also
    // refuse that the events go with their license.
    this.addSql(`
      create table event_log (
        license_id uuid not null default ${currentLicense} references license on delete cascade,
        seq bigint not null,
        recorded_at timestamptz(3) not null,
        id uuid not null,
        type text not null,
        subject_type text not null,
        subject_id text not null,
        instance_id uuid,
        host_id uuid,
        occurred_at timestamptz(3) not null,
        actor_kind text,
        actor_label text,
        data jsonb not null,
        primary key (license_id, recorded_at, seq)
      ) partition by range (recorded_at)`);
    // The order by time is the order by number, and lets a read stop within the first partitions that it needs.
    this.addSql('create index on event_log (license_id, type, recorded_at, seq)');
    this.addSql('create index on event_log (license_id, subject_id, recorded_at, seq)');
    this.addSql(
      'create index on event_log (license_id, instance_id, recorded_at, seq) where instance_id is not null',
    );
    this.addSql('create index on event_log (license_id, id)');
    keepLicensesApart(this, 'event_log', { rights: 'select' });
  }

  #createPartitionCare(): void {
    this.addSql(`
      create function create_day_partitions(parent text, first_day date, days integer) returns void
      language plpgsql set timezone = 'UTC' as $$
      declare
        partition text;
        day date;
      begin
        for day in select first_day + nth from generate_series(0, days - 1) as nth loop
          partition := parent || to_char(day, '_YYYY_MM_DD');
          if to_regclass(format('%I', partition)) is null then
            execute format('create table %I partition of %I for values from (%L) to (%L)', partition, parent, day, day + 1);
            execute format('alter table %I enable row level security', partition);
          end if;
        end loop;
      end $$`);
    // A partition that others read is dropped the next time.
    this.addSql(`
      create function drop_day_partitions(parent text, kept_days integer) returns void
      language plpgsql set timezone = 'UTC' set lock_timeout = '1s' as $$
      declare
        partition text;
      begin
        for partition in
          select relname from pg_inherits join pg_class on pg_class.oid = inhrelid
          where inhparent = parent::regclass and to_date(right(relname, 10), 'YYYY_MM_DD') < current_date - kept_days
          order by relname
        loop
          execute format('drop table %I', partition);
        end loop;
      exception when lock_not_available then
        raise notice '% is in use', partition;
      end $$`);
    this.addSql(`select create_day_partitions('event_log', current_date - 1, 16)`);
  }

  /**
   * Moves the drafts of the transaction into the log when it commits. The row of event_sequence is the last lock that a
   * transaction takes, and is held until the events are visible: a reader who sees a number sees every lower one.
   */
  #numberDrafts(): void {
    this.addSql(`
      create function number_events() returns trigger
      language plpgsql security definer set search_path = pg_catalog, public as $$
      declare
        own xid8 := pg_current_xact_id();
      begin
        -- The first draft of the transaction moves all of them.
        if not exists (select from event_draft where id = new.id) then return null; end if;
        with draft as (
          delete from event_draft where xact = own returning *
        ), kept as materialized (
          -- Events of a license that the transaction deletes are dropped. The lock is the one that the foreign key
          -- takes; taken before the sequence, it cannot deadlock with one who holds the license and commits.
          select draft.*, uuidv7() as event_id from draft join license on license.id = draft.license_id
          order by draft.license_id, draft.id for key share of license
        ), counted as (
          select license_id, count(*) as events, (array_agg(event_id order by id desc))[1] as newest
          from kept group by license_id
        ), numbered as (
          insert into event_sequence as known (license_id, last_seq, last_id, last_at)
          select license_id, events, newest, clock_timestamp() from counted order by license_id
          on conflict (license_id) do update set
            last_seq = known.last_seq + excluded.last_seq,
            last_id = excluded.last_id,
            last_at = greatest(clock_timestamp(), known.last_at)
          returning license_id, last_seq, last_at
        )
        insert into event_log (license_id, seq, recorded_at, id, type, subject_type, subject_id, instance_id, host_id,
          occurred_at, actor_kind, actor_label, data)
        select license_id,
          last_seq - count(*) over (partition by license_id) + row_number() over (partition by license_id order by kept.id),
          last_at, event_id, type, subject_type, subject_id, instance_id, host_id,
          occurred_at, actor_kind, actor_label, data
        from kept join numbered using (license_id);
        return null;
      end $$`);
    this.addSql(`
      create constraint trigger events_numbered after insert on event_draft
      deferrable initially deferred for each row execute function number_events()`);
  }

  #changeWebhooks(): void {
    this.addSql('alter table webhook add column from_seq bigint not null default 0');
    this.addSql('create index on webhook_delivery (license_id, event_id)');
    // The relay begins with the first webhook or channel of a license, and skips what was before.
    this.addSql(`
      create function begin_event_relay() returns trigger
      language plpgsql security definer set search_path = pg_catalog, public as $$
      declare
        newest event_sequence;
      begin
        select * into newest from event_sequence where license_id = new.license_id;
        insert into event_relay (license_id, seq, at)
        values (new.license_id, coalesce(newest.last_seq, 0), coalesce(newest.last_at, now())) on conflict do nothing;
        new.from_seq := coalesce(newest.last_seq, 0);
        return new;
      end $$`);
    this.addSql('revoke execute on function begin_event_relay, number_events from public');
    this.addSql(
      'create trigger event_relay_begun before insert on webhook for each row execute function begin_event_relay()',
    );
  }

  #moveFormerEvents(): void {
    this.addSql(`
      create function event_of_former(kind text, subject uuid, data jsonb, at timestamptz)
        returns table (type text, subject_type text, subject_id text, instance_id uuid, host_id uuid, event_data jsonb)
        language sql stable as $$
        select 'player.banned', 'player', data ->> 'steam_id', (data ->> 'instance_id')::uuid, null::uuid,
          data - 'instance_id' || jsonb_build_object('action_id', subject)
        where kind = 'player_banned'
        union all
        select 'wipe.completed', 'wipe', subject::text, (data ->> 'instance_id')::uuid, null, data
        where kind = 'wipe_completed'
        union all
        select 'instance.crashed', 'instance', data #>> '{instances,0,id}', (data #>> '{instances,0,id}')::uuid,
          (data ->> 'host_id')::uuid, jsonb_build_object('instance_name', data #>> '{instances,0,name}',
            'hostname', data ->> 'hostname',
            'crashed_at', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
        where kind = 'server_down' and data ->> 'reason' = 'instance_crashed'
        union all
        select 'host.offline', 'host', data ->> 'host_id', null, (data ->> 'host_id')::uuid, data - 'host_id'
        where kind = 'server_down' and data ->> 'reason' <> 'instance_crashed'
      $$`);
    this.addSql(`
      select create_day_partitions('event_log', oldest, current_date - 1 - oldest)
      from (select min(occurred_at at time zone 'UTC')::date as oldest from domain_event
        where occurred_at > now() - interval '90 days') as former
      where oldest < current_date - 1`);
    this.addSql(`
      insert into event_log (license_id, seq, recorded_at, id, type, subject_type, subject_id, instance_id, host_id,
        occurred_at, data)
      select license_id, row_number() over earlier, max(occurred_at) over earlier, id, type, subject_type, subject_id,
        instance_id, host_id, occurred_at, event_data
      from (
        select former.license_id, former.id, former.occurred_at, event.*
        from domain_event as former, event_of_former(kind, former.subject_id, data, occurred_at) as event
        where occurred_at > now() - interval '90 days'
      ) as former
      window earlier as (partition by license_id order by id)`);
    this.addSql(`
      insert into event_sequence (license_id, last_seq, last_id, last_at)
      select distinct on (license_id) license_id, seq, id, recorded_at from event_log order by license_id, seq desc`);
    this.addSql('delete from domain_event');
    this.addSql(`
      create function current_event_names(names text[]) returns text[] language sql immutable as $$
        select array(
          select distinct name from unnest(names) as former, unnest(case former
            when 'player_banned' then array['player.banned']
            when 'server_down' then array['host.offline', 'instance.crashed']
            when 'wipe_completed' then array['wipe.completed']
            else array[former] end) as name
          order by 1)
      $$`);
    this.addSql(`
      insert into event_relay (license_id, seq, at)
      select license.id, coalesce(last_seq, 0), coalesce(last_at, now()) from license left join event_sequence on license_id = license.id
      where exists (select from webhook where webhook.license_id = license.id)`);
    this.addSql(`
      update webhook set events = current_event_names(events), from_seq = coalesce(
        (select last_seq from event_sequence where event_sequence.license_id = webhook.license_id), 0)`);
  }

  /** Replicas of the former program run while the others are replaced: what they record reaches the log. */
  #serveFormerPrograms(): void {
    this.addSql(`
      create function take_former_event() returns trigger
      language plpgsql security definer set search_path = pg_catalog, public as $$
      begin
        insert into event_draft (license_id, type, subject_type, subject_id, instance_id, host_id, data)
        select new.license_id, type, subject_type, subject_id, instance_id, host_id, event_data
        from event_of_former(new.kind, new.subject_id, new.data, now());
        return null;
      end $$`);
    this.addSql(
      'create trigger former_event_taken before insert on domain_event for each row execute function take_former_event()',
    );
    this.addSql(`
      create function use_current_event_names() returns trigger
      language plpgsql security definer set search_path = pg_catalog, public as $$
      begin
        new.events := current_event_names(new.events);
        return new;
      end $$`);
    this.addSql(
      `revoke execute on function event_of_former, current_event_names, take_former_event, use_current_event_names,
        create_day_partitions, drop_day_partitions from public`,
    );
    this.addSql(`
      create trigger event_names_current before insert or update of events on webhook
      for each row execute function use_current_event_names()`);
  }
}
