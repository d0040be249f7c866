// Hosting companies that sell licenses, what they have provisioned, when licenses were active, and what that costs.
import { Migration } from '@mikro-orm/migrations';
import { currentReseller } from '../../entities/reseller.ts';
import { currentLicense } from '../../entities/tenant.ts';
import { audit } from './helpers/audit.ts';
import { keepLicensesApart } from './helpers/tenant-table.ts';

/** Rows that a reseller sees, by table, with the columns that it may read where it may not read all. */
const ownRows = {
  reseller: { rule: `id = ${currentReseller}`, columns: '(id, name, status, key_identifier, created_at)' },
  reseller_rate: { rule: `reseller_id = ${currentReseller}` },
  reseller_bill: { rule: `reseller_id = ${currentReseller}` },
  reseller_license: { rule: `reseller_id = ${currentReseller}` },
  license_activity: { rule: 'license_id in (select license_id from reseller_license)' },
  license: {
    rule: 'id in (select license_id from reseller_license)',
    columns: '(id, key, subdomain, status, revoked_by, companion_token_hash)',
  },
};

const neverChanged = ['license_activity', 'reseller_rate', 'reseller_bill'];

export class Resellers extends Migration {
  override up(): void {
    this.addSql(`
      alter table audit_entry drop constraint audit_entry_actor_kind_check, add constraint audit_entry_actor_kind_check
      check (actor_kind in ('anonymous', 'api_key', 'companion', 'job', 'plugin', 'reseller', 'system', 'user'))`);
    this.addSql(
      `do $$ begin create role gantry_reseller nologin; exception when duplicate_object or unique_violation then null; end $$`,
    );
    this.addSql('grant gantry_reseller to current_user');
    this.addSql('grant usage on schema public to gantry_reseller');

    this.addSql(
      `alter table license add column revoked_by text check (revoked_by in ('platform', 'reseller'))`,
    );
    // Not in the log, which may have no partition for today when a database is migrated.
    this.addSql('alter table license disable trigger audited');
    this.addSql(`update license set revoked_by = 'platform' where status = 'revoked'`);
    this.addSql('alter table license enable trigger audited');

    this.addSql(`
      create table reseller (
        id uuid primary key default uuidv7(),
        name text not null unique,
        status text not null default 'active' check (status in ('active', 'disabled')),
        key_identifier text not null unique,
        key_hash text not null,
        created_at timestamptz(3) not null default now()
      )`);
    audit(this, 'reseller', { secrets: ['key_hash'] });
    this.addSql(`
      create table reseller_rate (
        id uuid primary key default uuidv7(),
        reseller_id uuid not null references reseller,
        from_month text not null check (from_month ~ '^\\d{4}-(0[1-9]|1[0-2])$'),
        amount integer not null check (amount >= 0),
        currency text not null check (currency ~ '^[A-Z]{3}$'),
        created_at timestamptz(3) not null default now()
      )`);
    this.addSql('create index on reseller_rate (reseller_id, from_month desc, id desc)');
    audit(this, 'reseller_rate', { events: 'insert' });
    this.addSql(`
      create table reseller_bill (
        reseller_id uuid not null references reseller,
        month text not null check (month ~ '^\\d{4}-(0[1-9]|1[0-2])$'),
        license_count integer not null check (license_count >= 0),
        active_days integer not null check (active_days >= 0),
        total bigint not null check (total >= 0),
        currency text not null check (currency ~ '^[A-Z]{3}$'),
        recorded_at timestamptz(3) not null default now(),
        primary key (reseller_id, month)
      )`);
    this.addSql(`
      create table reseller_license (
        id uuid primary key default uuidv7(),
        license_id uuid not null unique default ${currentLicense} references license on delete cascade,
        reseller_id uuid not null references reseller,
        server_id text not null,
        hostname text not null,
        customer_email text not null,
        sealed_secrets bytea,
        created_at timestamptz(3) not null default now(),
        unique (reseller_id, server_id)
      )`);
    this.addSql('create index on reseller_license (reseller_id, id desc)');
    this.addSql('create index on reseller_license (created_at) where sealed_secrets is not null');
    keepLicensesApart(this, 'reseller_license', { rights: 'select' });

    // Without a reference: what was once active stays on its bill, whatever becomes of the license.
    this.addSql(`
      create table license_activity (
        id uuid primary key default uuidv7(),
        license_id uuid not null default ${currentLicense},
        is_active boolean not null,
        changed_at timestamptz(3) not null default clock_timestamp()
      )`);
    this.addSql('create index on license_activity (license_id, changed_at, id)');
    keepLicensesApart(this, 'license_activity', { rights: 'select' });
    this.addSql(`
      insert into license_activity (license_id, is_active, changed_at) select id, true, created_at from license`);
    this.addSql(`
      insert into license_activity (license_id, is_active, changed_at)
      select id, false, coalesce(revoked_at, now()) from license where status = 'revoked'`);
    // By the clock: whoever has waited for the row has a transaction that began before what it follows.
    this.addSql(`
      create function record_activity() returns trigger
      language plpgsql security definer set search_path = pg_catalog, public as $$
      begin
        if tg_op = 'INSERT' or new.status <> old.status then
          insert into license_activity (license_id, is_active) values (new.id, new.status = 'active');
        end if;
        return null;
      end $$`);
    this.addSql('revoke execute on function record_activity from public');
    this.addSql(`
      create trigger activity after insert or update of status on license
      for each row execute function record_activity()`);

    this.addSql(`
      create function refuse_change_of_record() returns trigger language plpgsql as $$
      begin
        raise exception '% is never changed', tg_table_name using errcode = 'insufficient_privilege';
      end $$`);
    for (const table of neverChanged) {
      this.addSql(`
        create trigger append_only before update or delete or truncate on ${table}
        for each statement execute function refuse_change_of_record()`);
    }
    for (const [table, own] of Object.entries(ownRows)) {
      this.addSql(`alter table ${table} enable row level security`);
      this.addSql(`create policy reseller on ${table} for select to gantry_reseller using (${own.rule})`);
      this.addSql(`grant select ${'columns' in own ? own.columns : ''} on ${table} to gantry_reseller`);
    }
  }
}
