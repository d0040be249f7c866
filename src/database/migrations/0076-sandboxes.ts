// Sandbox licenses: marked as test, with an expiry, a seed and a clock of their own.
import { Migration } from '@mikro-orm/migrations';
import { currentLicense } from '../../entities/tenant.ts';
import { audit } from './helpers/audit.ts';
import { keepLicensesApart } from './helpers/tenant-table.ts';

export class Sandboxes extends Migration {
  override up(): void {
    this.addSql('alter table license add column is_sandbox boolean not null default false');
    // The owner of a sandbox exists only for its API keys and is deleted with it.
    this.addSql(
      'alter table user_account add column sandbox_license_id uuid references license on delete cascade',
    );
    this.addSql('create index on user_account (sandbox_license_id) where sandbox_license_id is not null');
    this.addSql(`
      create table sandbox (
        license_id uuid primary key default ${currentLicense} references license on delete cascade,
        seed bigint not null,
        clock_offset_ms bigint not null default 0 check (clock_offset_ms >= 0),
        created_at timestamptz(3) not null default now(),
        reset_at timestamptz(3),
        expires_at timestamptz(3) not null
      )`);
    this.addSql('create index on sandbox (expires_at)');
    keepLicensesApart(this, 'sandbox', { rights: 'select' });
    audit(this, 'sandbox', { target: 'license_id', updatesOf: ['clock_offset_ms', 'expires_at'] });
    // Only the platform reads and writes it; every tenth heartbeat or so rewrites the row.
    this.addSql(`
      create table simulated_host (
        host_id uuid primary key,
        license_id uuid not null default ${currentLicense} references sandbox (license_id) on delete cascade,
        state jsonb not null,
        has_outgoing boolean not null default false,
        next_step_at timestamptz(3),
        next_milestone_at timestamptz(3),
        owner uuid,
        owned_until timestamptz(3),
        foreign key (license_id, host_id) references agent_host (license_id, id) on delete cascade
      )`);
    this.addSql('create index on simulated_host (license_id)');
    this.addSql('create index on simulated_host (owner)');
    keepLicensesApart(this, 'simulated_host', { rights: 'select' });
    // The time of the license that the transaction works in: real time, except in a sandbox whose clock was moved.
    this.addSql(`
      create function license_now() returns timestamptz
      language sql stable security definer set search_path = pg_catalog, public as $$
        select now() + coalesce((
          select clock_offset_ms * interval '1 millisecond' from sandbox where license_id = ${currentLicense}
        ), interval '0')
      $$`);
    this.addSql('revoke execute on function license_now from public');
    this.addSql('grant execute on function license_now to gantry_tenant');
    // Some tables have no foreign key to the license, so the cascade misses them. Two tables are append-only: the audit
    // log, and the record of when licenses were active, which is for bills only.
    this.addSql(`
      create function delete_sandbox(deleted_id uuid) returns void
      language plpgsql security definer set search_path = pg_catalog, public as $$
      declare
        table_name text;
      begin
        delete from license where id = deleted_id and is_sandbox;
        if not found then
          raise exception 'license % is no sandbox', deleted_id;
        end if;
        for table_name in
          select class.relname from pg_class as class
          join pg_attribute as attribute on attribute.attrelid = class.oid and attribute.attname = 'license_id'
          where class.relnamespace = 'public'::regnamespace and class.relkind in ('r', 'p')
            and not class.relispartition and class.relname not in ('audit_entry', 'license_activity')
        loop
          execute format('delete from %I where license_id = $1', table_name) using deleted_id;
        end loop;
      end $$`);
    this.addSql('revoke execute on function delete_sandbox from public');
  }
}
