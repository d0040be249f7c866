// Dates events in the time of their license, and marks the licenses whose events wait for their webhooks.
import { Migration } from '@mikro-orm/migrations';

export class NumberedEvents extends Migration {
  override up(): void {
    this.addSql('alter table event_sequence add column has_news boolean not null default false');
    this.addSql('create index on event_sequence (license_id) where has_news');
    this.addSql(`
      update event_sequence set has_news = true from event_relay as relay
      where relay.license_id = event_sequence.license_id and relay.seq < last_seq`);
    this.addSql(`
      create or replace function number_events() returns trigger
      language plpgsql security definer set search_path = pg_catalog, public as $$
      declare
        own xid8 := pg_current_xact_id();
        licenses uuid[];
      begin
        -- The first draft of the transaction moves all of them.
        if not exists (select from event_draft where id = new.id) then return null; end if;
        with draft as (
          delete from event_draft where xact = own returning *
        ), kept as materialized (
          -- Events of a license that the transaction deletes are dropped. The lock is the one that the foreign key
          -- takes; taken before the sequence, it cannot deadlock with one who holds the license and commits.
          select draft.*, uuidv7() as event_id,
            -- What a transaction dates by its own time happened at that time of the license.
            case when license.is_sandbox and draft.occurred_at = now()::timestamptz(3)
              then draft.occurred_at + coalesce((select clock_offset_ms * interval '1 millisecond' from sandbox
                where sandbox.license_id = license.id), interval '0')
              else draft.occurred_at end as happened_at
          from draft join license on license.id = draft.license_id
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
        ), logged as (
          insert into event_log (license_id, seq, recorded_at, id, type, subject_type, subject_id, instance_id, host_id,
            occurred_at, actor_kind, actor_label, data)
          select license_id,
            last_seq - count(*) over (partition by license_id) + row_number() over (partition by license_id order by kept.id),
            last_at, event_id, type, subject_type, subject_id, instance_id, host_id,
            happened_at, actor_kind, actor_label, data
          from kept join numbered using (license_id)
        )
        select array_agg(license_id) into licenses from numbered;
        -- A statement of its own, after the lock: it sees a first webhook that was created meanwhile. The commit of a
        -- webhook that it does not see yet records an event, and marks the license itself.
        update event_sequence set has_news = true
        where license_id = any(licenses) and not has_news
          and exists (select from event_relay where event_relay.license_id = event_sequence.license_id);
        return null;
      end $$`);
  }
}
