// Keeps a rotated companion token valid for as long as the rotation says.
import { Migration } from '@mikro-orm/migrations';
import { audit } from './helpers/audit.ts';

export class CompanionTokenOverlap extends Migration {
  override up(): void {
    this.addSql(`
      alter table license add column former_companion_token_hash text,
        add column former_companion_token_expires_at timestamptz(3)`);
    this.addSql('create unique index on license (former_companion_token_hash)');
    this.addSql(
      'grant update (former_companion_token_hash, former_companion_token_expires_at) on license to gantry_tenant',
    );
    this.addSql('drop trigger audited on license');
    audit(this, 'license', {
      license: 'id',
      secrets: ['key', 'companion_token_hash', 'former_companion_token_hash'],
    });
  }
}
