// Marks jobs with their license and hosts that do not answer, so that the workers can be shared between licenses.
import { Migration } from '@mikro-orm/migrations';

export class JobLanes extends Migration {
  override up(): void {
    this.addSql('alter table agent_host add column is_silent boolean not null default false');
    this.addSql('drop function enqueue_job(text, json, text, timestamptz)');
    this.addSql(`
      create function enqueue_job(task text, payload json, key text default null, run_at timestamptz default null,
        owner text default null, flags text[] default null)
        returns void
      language plpgsql security definer set search_path = pg_catalog, public as $$
      declare
        sharer text := coalesce(owner, nullif(current_setting('app.license_id', true), ''), payload ->> 'license_id');
      begin
        perform graphile_worker.add_job(task, payload, job_key => key, run_at => run_at,
          flags => case when sharer is null then flags else coalesce(flags, '{}') || ('owner:' || sharer) end);
      end $$`);
    this.addSql('revoke execute on function enqueue_job from public');
    this.addSql('grant execute on function enqueue_job to gantry_tenant');
  }
}
