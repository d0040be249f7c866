// Configurations of plugins, and what became of them on servers.
import { Migration } from '@mikro-orm/migrations';
import { currentLicense } from '../../entities/tenant.ts';
import { audit } from './helpers/audit.ts';
import { keepLicensesApart } from './helpers/tenant-table.ts';

export class PluginConfigs extends Migration {
  override up(): void {
    this.addSql(`
      create table plugin_config (
        id uuid primary key default uuidv7(),
        license_id uuid not null default ${currentLicense} references license on delete cascade,
        kind text not null,
        name text not null,
        config_data json not null,
        version integer not null default 1,
        updated_by text,
        created_at timestamptz(3) not null default now(),
        updated_at timestamptz(3) not null default now(),
        unique (license_id, id),
        unique (license_id, kind, name)
      )`);
    keepLicensesApart(this, 'plugin_config');
    audit(this, 'plugin_config', { secrets: ['config_data'] });

    this.addSql(`
      create table plugin_application (
        id uuid primary key default uuidv7(),
        license_id uuid not null default ${currentLicense} references license on delete cascade,
        kind text not null,
        plugin_config_id uuid,
        config_version integer,
        instance_id uuid not null,
        status text not null default 'preparing'
          check (status in ('preparing', 'applying', 'succeeded', 'failed')),
        detail text,
        error_code text,
        files jsonb not null default '[]',
        command_id uuid,
        attempts integer not null default 0,
        requested_by text,
        created_at timestamptz(3) not null default now(),
        finished_at timestamptz(3),
        foreign key (license_id, plugin_config_id) references plugin_config (license_id, id)
          on delete set null (plugin_config_id),
        foreign key (license_id, instance_id) references game_instance (license_id, id) on delete cascade,
        foreign key (license_id, command_id) references command (license_id, id)
          on delete set null (command_id)
      )`);
    this.addSql('create index on plugin_application (license_id, instance_id, id desc)');
    this.addSql('create index on plugin_application (license_id, plugin_config_id)');
    this.addSql('create index on plugin_application (license_id, command_id)');
    this.addSql('create index on plugin_application (created_at)');
    keepLicensesApart(this, 'plugin_application');
    audit(this, 'plugin_application', { secrets: ['files'] });
  }
}
