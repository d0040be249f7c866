// A job commits only while the worker that runs it is in the ledger and holds it; nobody frees it before that commit ends.
import { Migration } from '@mikro-orm/migrations';

export class HeldJobs extends Migration {
  override up(): void {
    this.addSql(`
      create function hold_job(held bigint, worker text) returns boolean
      language plpgsql security definer set search_path = pg_catalog, public as $$
      begin
        perform from job_worker where worker_id = worker for key share;
        return found and exists (
          select from graphile_worker._private_jobs where id = held and locked_by = worker);
      end $$`);
    this.addSql('revoke execute on function hold_job from public');
    this.addSql('grant execute on function hold_job to gantry_tenant, gantry_reseller');
  }
}
