// Lists the applications of one plugin configuration, newest first, by an index.
import { Migration } from '@mikro-orm/migrations';

export class ApplicationsOfConfigs extends Migration {
  override up(): void {
    this.addSql('create index on plugin_application (license_id, plugin_config_id, id desc)');
    // The new one serves the reference to the configuration, too.
    this.addSql('drop index plugin_application_license_id_plugin_config_id_idx');
  }
}
