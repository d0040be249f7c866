// Counts what each API key still uses of the deprecated operations.
import { Migration } from '@mikro-orm/migrations';
import { currentLicense } from '../../entities/tenant.ts';
import { keepLicensesApart } from './helpers/tenant-table.ts';

export class DeprecatedUse extends Migration {
  override up(): void {
    this.addSql('drop index api_key_license_id_id_idx');
    this.addSql('alter table api_key add unique (license_id, id)');
    this.addSql(`
      create table api_key_deprecated_use (
        license_id uuid not null default ${currentLicense} references license on delete cascade,
        api_key_id uuid not null,
        operation text not null,
        count bigint not null,
        last_used_at timestamptz(3) not null,
        primary key (license_id, api_key_id, operation),
        foreign key (license_id, api_key_id) references api_key (license_id, id) on delete cascade
      )`);
    this.addSql('create index on api_key_deprecated_use (last_used_at)');
    keepLicensesApart(this, 'api_key_deprecated_use', { rights: 'select' });
  }
}
