// Records an advance of a sandbox's clock once in the audit log, not once for each moment on the way.
import { Migration } from '@mikro-orm/migrations';
import { audit } from './helpers/audit.ts';

export class SandboxAdvances extends Migration {
  override up(): void {
    this.addSql('alter table sandbox add column advanced_at timestamptz(3)');
    this.addSql('drop trigger audited on sandbox');
    audit(this, 'sandbox', { target: 'license_id', updatesOf: ['advanced_at', 'expires_at'] });
  }
}
