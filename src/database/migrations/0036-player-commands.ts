// Commands that are typed when players come and go, as the applications that brought them into force had them.
import { Migration } from '@mikro-orm/migrations';

export class PlayerCommands extends Migration {
  override up(): void {
    this.addSql('alter table plugin_application add column player_commands jsonb');
    this.addSql(`create index plugin_application_player_commands on plugin_application
      (license_id, instance_id, finished_at desc) where status = 'succeeded' and player_commands is not null`);
  }
}
