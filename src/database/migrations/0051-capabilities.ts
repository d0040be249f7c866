// Keeps what instances can do, and ends commands that nothing confirms apart from those that succeeded.
import { Migration } from '@mikro-orm/migrations';

export class Capabilities extends Migration {
  override up(): void {
    this.addSql('alter table game_instance add column capabilities text[]');
    this.addSql('alter table command drop constraint command_status_check');
    this.addSql(`
      alter table command add constraint command_status_check
        check (status in ('queued', 'sent', 'acknowledged', 'succeeded', 'unconfirmed', 'failed', 'expired'))`);
    this.addSql('alter table schedule_run drop constraint schedule_run_status_check');
    this.addSql(`
      alter table schedule_run add constraint schedule_run_status_check
        check (status in ('running', 'succeeded', 'sent', 'failed', 'skipped'))`);
    this.addSql(`
      create or replace function end_schedule_run() returns trigger language plpgsql as $$
      begin
        update schedule_run set
          status = case new.status when 'succeeded' then 'succeeded' when 'unconfirmed' then 'sent' else 'failed' end,
          detail = new.detail,
          error_code = case new.status when 'expired' then 'expired' else new.error_code end,
          finished_at = coalesce(new.finished_at, now())
        where license_id = new.license_id and command_id = new.id;
        return null;
      end $$`);
    this.addSql('drop trigger ends_schedule_run on command');
    this.addSql(`
      create trigger ends_schedule_run after update of status on command for each row
      when (new.status is distinct from old.status
        and new.status in ('succeeded', 'unconfirmed', 'failed', 'expired'))
      execute function end_schedule_run()`);
  }
}
