// The kinds of actors that the audit log knows are those of the contract.
import { Migration } from '@mikro-orm/migrations';

export class AuditActors extends Migration {
  override up(): void {
    this.addSql(`
      alter table audit_entry add constraint audit_entry_actor_kind_check
      check (actor_kind in ('anonymous', 'api_key', 'companion', 'job', 'system', 'user'))`);
  }
}
