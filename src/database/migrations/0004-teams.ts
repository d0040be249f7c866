// Invitations, versions of roles, and what a license may change of itself.
import { Migration } from '@mikro-orm/migrations';
import { currentLicense } from '../../entities/tenant.ts';
import { audit } from './helpers/audit.ts';
import { keepLicensesApart } from './helpers/tenant-table.ts';

export class Teams extends Migration {
  override up(): void {
    this.addSql('alter table role add column version integer not null default 1');
    this.addSql('create unique index role_license_id_lower_name_key on role (license_id, lower(name))');
    this.addSql(`
      create table invitation (
        id uuid primary key default uuidv7(),
        license_id uuid not null default ${currentLicense} references license on delete cascade,
        email text not null check (email = lower(email)),
        role_id uuid,
        invited_by uuid not null references user_account on delete cascade,
        token_hash text not null unique,
        created_at timestamptz(3) not null default now(),
        expires_at timestamptz(3) not null,
        ended_at timestamptz(3),
        check (role_id is not null or ended_at is not null),
        foreign key (license_id, role_id) references role (license_id, id) on delete set null (role_id)
      )`);
    this.addSql(
      'create unique index invitation_open_key on invitation (license_id, email) where ended_at is null',
    );
    this.addSql('create index on invitation (license_id, created_at)');
    this.addSql('create index on invitation (expires_at)');
    keepLicensesApart(this, 'invitation');
    audit(this, 'invitation', { secrets: ['token_hash'] });

    this.addSql('grant update (key, name, subdomain, companion_token_hash) on license to gantry_tenant');
    this.addSql('drop trigger audited on license');
    audit(this, 'license', { license: 'id', secrets: ['key', 'companion_token_hash'] });

    this.addSql(`
      create function member_accounts() returns table (user_id uuid, email text, is_disabled boolean)
      language sql stable security definer set search_path = pg_catalog, public as $$
        select user_account.id, user_account.email, user_account.is_disabled
        from membership join user_account on user_account.id = membership.user_id
        where membership.license_id = ${currentLicense}
      $$`);
    this.addSql('revoke execute on function member_accounts() from public');
    this.addSql('grant execute on function member_accounts() to gantry_tenant');
  }
}
