// Keeps the templates that agents report, the instances made from them, and commands about instances that have no row.
import { Migration } from '@mikro-orm/migrations';

export class ManagedInstances extends Migration {
  override up(): void {
    this.addSql(`
      alter table agent_host
        add column instance_templates jsonb,
        add column max_managed_instances integer not null default 0,
        add column managed_boot_id uuid,
        add column managed_seq bigint`);
    this.addSql(`
      alter table game_instance
        add column managed_by text not null default 'file' check (managed_by in ('file', 'platform')),
        add column template text,
        add column template_parameters jsonb,
        add column definition_version bigint,
        add column definition_problem text,
        add constraint game_instance_definition_check check (
          case managed_by
            when 'platform' then num_nulls(template, template_parameters, definition_version) = 0
            else num_nonnulls(template, template_parameters, definition_version, definition_problem) = 0
          end)`);
    // An instance that is created has no row yet, and one that was deleted has none any more.
    this.addSql(`
      alter table command alter column instance_id drop not null, add column instance_name text,
        add constraint command_instance_check check (num_nonnulls(instance_id, instance_name) = 1)`);
    this.addSql(
      'create index on command (host_id, instance_name, finished_at) where instance_name is not null',
    );
  }
}
