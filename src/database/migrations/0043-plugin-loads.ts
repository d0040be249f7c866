// What plugins have made of the files that they were given, and how often the platform has tried.
import { Migration } from '@mikro-orm/migrations';
import { audit } from './helpers/audit.ts';

export class PluginLoads extends Migration {
  override up(): void {
    this.addSql(`alter table plugin_application
      add column is_loaded boolean,
      add column remarks jsonb not null default '[]',
      add column failures integer not null default 0`);
    this.addSql('drop trigger audited on plugin_application');
    audit(this, 'plugin_application', { secrets: ['files', 'remarks'] });
  }
}
