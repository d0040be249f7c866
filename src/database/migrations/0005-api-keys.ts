// API keys, subscriptions and early access signups; indexes for the filters of the audit log.
import { Migration } from '@mikro-orm/migrations';
import { currentLicense } from '../../entities/tenant.ts';
import { audit } from './helpers/audit.ts';
import { keepLicensesApart } from './helpers/tenant-table.ts';

export class ApiKeys extends Migration {
  override up(): void {
    this.addSql(`
      create table api_key (
        id uuid primary key default uuidv7(),
        license_id uuid not null default ${currentLicense} references license on delete cascade,
        identifier text not null unique,
        secret_hash text not null,
        name text not null,
        permissions jsonb not null,
        allowed_ips text[],
        created_by_id uuid references user_account on delete set null,
        created_by text not null,
        created_at timestamptz(3) not null default now(),
        expires_at timestamptz(3),
        last_used_at timestamptz(3),
        revoked_at timestamptz(3)
      )`);
    this.addSql('create index on api_key (license_id, id)');
    this.addSql('create index on api_key (created_by_id)');
    keepLicensesApart(this, 'api_key', { rights: 'select, insert, update' });
    audit(this, 'api_key', {
      secrets: ['secret_hash'],
      updatesOf: ['name', 'permissions', 'allowed_ips', 'created_by_id', 'expires_at', 'revoked_at'],
    });

    this.addSql(`
      create table subscription (
        id uuid primary key default uuidv7(),
        license_id uuid not null default ${currentLicense} references license on delete cascade,
        kind text not null check (kind in ('module', 'webstore')),
        reference text not null,
        status text not null check (status in ('trialing', 'active', 'past_due', 'cancelled', 'expired')),
        amount numeric(12, 2) not null check (amount >= 0),
        currency text not null check (currency ~ '^[A-Z]{3}$'),
        period text not null check (period in ('month', 'year')),
        started_at timestamptz(3) not null default now(),
        ends_at timestamptz(3),
        cancelled_at timestamptz(3),
        created_at timestamptz(3) not null default now(),
        unique (license_id, id)
      )`);
    this.addSql('create index on subscription (license_id, kind, reference)');
    this.addSql(
      `create index on subscription (kind, reference, currency) include (amount, period) where status in ('active', 'past_due')`,
    );
    keepLicensesApart(this, 'subscription');
    audit(this, 'subscription');

    this.addSql(`
      create table early_access_signup (
        id uuid primary key default uuidv7(),
        email text not null unique check (email = lower(email)),
        server_count integer not null check (server_count >= 0),
        created_at timestamptz(3) not null default now()
      )`);

    this.addSql('create index on license (created_at)');
    this.addSql('create index on user_account (created_at)');
    this.addSql('create index on audit_entry (license_id, actor_id, id desc)');
    this.addSql('create index on audit_entry (license_id, operation, id desc)');
    this.addSql('create index on audit_entry (license_id, target_type, target_id, id desc)');
    this.addSql('create index on audit_entry (actor_id, id desc)');
  }
}
