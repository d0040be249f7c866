// What licenses show in public, and who holds a place among those who sign up early.
import { Migration } from '@mikro-orm/migrations';
import { currentLicense } from '../../entities/tenant.ts';
import { audit } from './helpers/audit.ts';
import { keepLicensesApart } from './helpers/tenant-table.ts';

export class PublicStatus extends Migration {
  override up(): void {
    this.addSql(`
      create table site_config (
        license_id uuid primary key default ${currentLicense} references license on delete cascade,
        is_public boolean not null default false,
        is_listed_by_default boolean not null default false,
        status_page_description text,
        version integer not null default 1
      )`);
    keepLicensesApart(this, 'site_config', { rights: 'select, insert, update' });
    audit(this, 'site_config', { target: 'license_id' });

    this.addSql(`
      create table site_listing (
        instance_id uuid primary key,
        license_id uuid not null default ${currentLicense} references license on delete cascade,
        is_listed boolean,
        display_name text,
        description text,
        wipe_cron text,
        wipe_time_zone text,
        version integer not null default 1,
        check ((wipe_cron is null) = (wipe_time_zone is null)),
        foreign key (license_id, instance_id) references game_instance (license_id, id) on delete cascade
      )`);
    this.addSql('create index on site_listing (license_id, instance_id)');
    keepLicensesApart(this, 'site_listing', { rights: 'select, insert, update' });
    audit(this, 'site_listing', { target: 'instance_id' });
    this.addSql(
      `create index on wipe_history (license_id, instance_id, finished_at desc) where status = 'completed'`,
    );

    this.addSql(`
      alter table early_access_signup add column confirmed_at timestamptz(3),
        add column founding_place_at timestamptz(3), add check (founding_place_at is null or confirmed_at is not null)`);
    this.addSql(`
      create table early_access_claim (
        id uuid primary key default uuidv7(),
        email text not null check (email = lower(email)),
        server_count integer not null check (server_count >= 0),
        place_until timestamptz(3),
        token_hash text unique,
        mailed_at timestamptz(3),
        expires_at timestamptz(3) not null,
        created_at timestamptz(3) not null default now()
      )`);
    this.addSql('create index on early_access_claim (email, mailed_at)');
    this.addSql('create index on early_access_claim (place_until)');
    this.addSql('create index on early_access_claim (expires_at)');
  }
}
