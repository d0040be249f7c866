// Commands that agents carry out are named alike: a verb and what it is about.
import { Migration } from '@mikro-orm/migrations';

const renamed = {
  'backup-create': 'create_backup',
  'backup-delete': 'delete_backup',
  'backup-restore': 'restore_backup',
  'file-unzip': 'unzip_file',
  'file-zip': 'zip_files',
  'map-deploy': 'deploy_map',
  'map-remove': 'remove_map',
};

export class CommandVerbs extends Migration {
  override up(): void {
    for (const [before, after] of Object.entries(renamed))
      this.addSql(`update command set kind = '${after}' where kind = '${before}'`);
  }
}
