// Sessions in which the user has confirmed their password or second factor again, and until when that counts.
import { Migration } from '@mikro-orm/migrations';
import { audit } from './helpers/audit.ts';

export class StepUps extends Migration {
  override up(): void {
    this.addSql('alter table user_session add column stepped_up_until timestamptz(3)');
    this.addSql('drop trigger audited on user_session');
    audit(this, 'user_session', {
      license: 'working_license_id',
      secrets: ['working_license_id'],
      updatesOf: ['working_license_id', 'ended_at', 'stepped_up_until'],
    });
  }
}
