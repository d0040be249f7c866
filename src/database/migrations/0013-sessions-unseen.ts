// The log of a license does not tell in which other license its members' sessions worked before.
import { Migration } from '@mikro-orm/migrations';
import { audit } from './helpers/audit.ts';

export class SessionsUnseen extends Migration {
  override up(): void {
    this.addSql('drop trigger audited on user_session');
    audit(this, 'user_session', {
      license: 'working_license_id',
      secrets: ['working_license_id'],
      updatesOf: ['working_license_id', 'ended_at'],
    });
  }
}
