// The audit log: which rows were changed, by whom, from what to what.
import { Migration } from '@mikro-orm/migrations';
import { audit } from './helpers/audit.ts';
import { keepLicensesApart } from './helpers/tenant-table.ts';

export class Audit extends Migration {
  override up(): void {
    this.addSql(`
      create table audit_entry (
        id uuid not null default uuidv7(),
        recorded_at timestamptz(3) not null default now(),
        license_id uuid,
        actor_kind text not null,
        actor_id text,
        actor_label text,
        operation text,
        request_id text,
        source text,
        action text not null check (action in ('created', 'updated', 'deleted')),
        target_type text not null,
        target_id text not null,
        before jsonb,
        after jsonb,
        primary key (id, recorded_at)
      ) partition by range (recorded_at)`);
    this.addSql('create index on audit_entry (license_id, id desc)');
    this.addSql('create index on audit_entry (target_type, target_id, id desc)');
    keepLicensesApart(this, 'audit_entry', { rights: 'select' });
    this.addSql(`
      create function refuse_change() returns trigger language plpgsql as $$
      begin
        raise exception 'the audit log is never changed' using errcode = 'insufficient_privilege';
      end $$`);
    this.addSql(`
      create trigger append_only before update or delete or truncate on audit_entry
      for each statement execute function refuse_change()`);

    // Arguments: the column with the license, the one that names the row, then those whose values are secret.
    this.addSql(`
      create function record_change() returns trigger
      language plpgsql security definer set search_path = pg_catalog, public as $$
      declare
        attribution jsonb := nullif(current_setting('app.attribution', true), '')::jsonb;
        was jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
        is_now jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
        known jsonb := coalesce(is_now, was);
        secret text;
      begin
        if tg_op = 'UPDATE' then
          select coalesce(jsonb_object_agg(key, value), '{}') into is_now
            from jsonb_each(to_jsonb(new)) where value is distinct from was -> key;
          select coalesce(jsonb_object_agg(key, value), '{}') into was
            from jsonb_each(was) where is_now ? key;
          if is_now = '{}' then return null; end if;
        end if;
        foreach secret in array tg_argv[2:] loop
          if was -> secret <> 'null' then was := was || jsonb_build_object(secret, '[secret]'); end if;
          if is_now -> secret <> 'null' then is_now := is_now || jsonb_build_object(secret, '[secret]'); end if;
        end loop;
        insert into audit_entry (license_id, actor_kind, actor_id, actor_label, operation, request_id, source, action,
          target_type, target_id, before, after)
        values ((known ->> tg_argv[0])::uuid, coalesce(attribution ->> 'actor_kind', 'system'),
          attribution ->> 'actor_id', attribution ->> 'actor_label', attribution ->> 'operation',
          attribution ->> 'request_id', attribution ->> 'source',
          case tg_op when 'INSERT' then 'created' when 'UPDATE' then 'updated' else 'deleted' end,
          tg_table_name, known ->> tg_argv[1], was, is_now);
        return null;
      end $$`);
    this.addSql('revoke execute on function record_change from public');
    audit(this, 'license', { license: 'id', secrets: ['companion_token_hash'] });
    audit(this, 'role');
    audit(this, 'membership');
    audit(this, 'instance_cluster');
    audit(this, 'game_instance', { updatesOf: ['cluster_id'], events: 'update or delete' });
    audit(this, 'agent_host', { updatesOf: ['bus_public_key'] });
    audit(this, 'command', { events: 'insert' });
    audit(this, 'user_account', { license: 'license_id', secrets: ['password_hash'] });
    audit(this, 'user_session', {
      license: 'working_license_id',
      updatesOf: ['working_license_id', 'ended_at'],
    });
  }
}
