// The sandbox that a stored reply belongs to: when it is reset or deleted, what the reply shows is gone.
import { Migration } from '@mikro-orm/migrations';

export class RepliesOfSandboxes extends Migration {
  override up(): void {
    this.addSql(
      'alter table idempotency_record add column sandbox_license_id uuid references license on delete cascade',
    );
    this.addSql(
      'create index on idempotency_record (sandbox_license_id) where sandbox_license_id is not null',
    );
  }
}
