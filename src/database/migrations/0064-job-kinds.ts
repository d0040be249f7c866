// Gives jobs without an owner a share of their lane by their kind, so that no kind can take all its workers.
import { Migration } from '@mikro-orm/migrations';

export class JobKinds extends Migration {
  override up(): void {
    this.addSql(`
      create or replace function enqueue_job(task text, payload json, key text default null,
        run_at timestamptz default null, owner text default null, flags text[] default null)
        returns void
      language plpgsql security definer set search_path = pg_catalog, public as $$
      declare
        sharer text := coalesce(owner, nullif(current_setting('app.license_id', true), ''), payload ->> 'license_id',
          'task ' || task);
      begin
        perform graphile_worker.add_job(task, payload, job_key => key, run_at => run_at,
          flags => coalesce(flags, '{}') || ('owner:' || sharer));
      end $$`);
  }
}
