// The plugin that comes with the platform as it is now.
import { Migration } from '@mikro-orm/migrations';

export class SignalsKeptInBounds extends Migration {
  override up(): void {
    // When a database is migrated its log may have no partition for today yet.
    this.addSql('alter table module disable trigger user');
    this.addSql(`
      update module set version = version + 1,
        plugin_sha256 = '23b26d7fbbc4b45e66e957feb694346dc4e878b317bee1727bf0517595c7fa3c', plugin_bytes = 9220
      where slug = 'player-insights' and plugin_url = '/api/plugin/download'`);
    this.addSql('alter table module enable trigger user');
  }
}
