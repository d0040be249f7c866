// Commands that update agents: they concern a host and no instance, and one host has one at a time.
import { Migration } from '@mikro-orm/migrations';

export class AgentUpdates extends Migration {
  override up(): void {
    this.addSql(`
      alter table command drop constraint command_instance_check,
        add constraint command_instance_check check (
          num_nonnulls(instance_id, instance_name) = case kind when 'update_agent' then 0 else 1 end)`);
    this.addSql(
      `create unique index command_agent_update_key on command (host_id) where kind = 'update_agent' and finished_at is null`,
    );
    this.addSql(`create index on command (host_id, id desc) where kind = 'update_agent'`);
  }
}
