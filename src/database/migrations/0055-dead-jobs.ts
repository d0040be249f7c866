// Has it recorded what super admins do to jobs that are not tried again, which lie outside of the audited tables.
import { Migration } from '@mikro-orm/migrations';

export class DeadJobs extends Migration {
  override up(): void {
    this.addSql(`
      create function record_job_change(job bigint, action text) returns void
      language plpgsql security definer set search_path = pg_catalog, public as $$
      declare
        attribution jsonb := nullif(current_setting('app.attribution', true), '')::jsonb;
      begin
        insert into audit_entry (actor_kind, actor_id, actor_label, operation, request_id, source, action,
          target_type, target_id, before, after)
        select coalesce(attribution ->> 'actor_kind', 'system'), attribution ->> 'actor_id',
          attribution ->> 'actor_label', attribution ->> 'operation', attribution ->> 'request_id',
          attribution ->> 'source', record_job_change.action, 'job', known.id::text,
          jsonb_build_object('task', identifier, 'payload', payload::jsonb - 'sealed', 'attempts', attempts),
          case record_job_change.action when 'updated' then jsonb_build_object('attempts', 0) end
        from graphile_worker._private_jobs as known
        join graphile_worker._private_tasks as task on task.id = known.task_id where known.id = job;
      end $$`);
    this.addSql('revoke execute on function record_job_change from public');
  }
}
