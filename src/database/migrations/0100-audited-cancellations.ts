// Cancellations of queued commands: the audit log records them, and they end the player actions of the commands.
import { Migration } from '@mikro-orm/migrations';

export class AuditedCancellations extends Migration {
  override up(): void {
    this.addSql(`
      create trigger audited_cancellation after update of status on command for each row
      when (old.status = 'queued' and new.status = 'failed' and new.error_code = 'cancelled')
      execute function record_change('license_id', 'id')`);
    this.addSql(
      'grant update (status, detail, error_code, finished_at, ended_at) on player_action to gantry_tenant',
    );
  }
}
