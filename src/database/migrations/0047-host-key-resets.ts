// Lets operators reset the key that an agent host is bound to.
import { Migration } from '@mikro-orm/migrations';
import { audit } from './helpers/audit.ts';

export class HostKeyResets extends Migration {
  override up(): void {
    this.addSql('alter table agent_host add column key_reset_expires_at timestamptz(3)');
    this.addSql('drop trigger audited on agent_host');
    audit(this, 'agent_host', { updatesOf: ['bus_public_key', 'key_reset_expires_at'] });
  }
}
