// The audit log takes what becomes of files on game hosts, which are no rows: what is attempted, and its outcome.
import { Migration } from '@mikro-orm/migrations';
import { currentLicense } from '../../entities/tenant.ts';

export class FileChanges extends Migration {
  override up(): void {
    this.addSql(`
      alter table audit_entry drop constraint audit_entry_action_check,
        add constraint audit_entry_action_check
        check (action in ('attempted', 'created', 'updated', 'deleted', 'failed'))`);
    this.addSql(`
      create function record_file_change(instance uuid, action text, before jsonb, after jsonb) returns uuid
      language plpgsql security definer set search_path = pg_catalog, public as $$
      declare
        attribution jsonb := nullif(current_setting('app.attribution', true), '')::jsonb;
        license uuid := ${currentLicense};
        entry uuid;
      begin
        if license is null then raise exception 'a file belongs to a license'; end if;
        insert into audit_entry (license_id, actor_kind, actor_id, actor_label, operation, request_id, source, action,
          target_type, target_id, before, after)
        values (license, coalesce(attribution ->> 'actor_kind', 'system'),
          attribution ->> 'actor_id', attribution ->> 'actor_label', attribution ->> 'operation',
          attribution ->> 'request_id', attribution ->> 'source',
          record_file_change.action, 'instance_file', instance, record_file_change.before, record_file_change.after)
        returning id into entry;
        return entry;
      end $$`);
    this.addSql('revoke execute on function record_file_change from public');
    this.addSql('grant execute on function record_file_change to gantry_tenant');
  }
}
