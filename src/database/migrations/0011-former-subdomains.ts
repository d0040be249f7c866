// Subdomains that licenses have given up: kept for them for 90 days, the ten latest of each.
import { Migration } from '@mikro-orm/migrations';
import { currentLicense } from '../../entities/tenant.ts';
import { keepLicensesApart } from './helpers/tenant-table.ts';

export class FormerSubdomains extends Migration {
  override up(): void {
    this.addSql(`
      create table former_subdomain (
        subdomain text primary key,
        license_id uuid not null default ${currentLicense} references license on delete cascade,
        freed_at timestamptz(3) not null default now()
      )`);
    this.addSql('create index on former_subdomain (license_id, freed_at)');
    this.addSql('create index on former_subdomain (freed_at)');
    keepLicensesApart(this, 'former_subdomain', { rights: 'select' });
    // After the row is written: whoever wants a name that is just being given up has waited for that by then.
    this.addSql(`
      create function keep_former_subdomain() returns trigger
      language plpgsql security definer set search_path = pg_catalog, public as $$
      begin
        if tg_op = 'UPDATE' and new.subdomain = old.subdomain then return null; end if;
        if exists (select from former_subdomain where subdomain = new.subdomain and license_id <> new.id
            and freed_at > now() - interval '90 days') then
          raise exception 'the subdomain is kept for another license'
            using errcode = 'unique_violation', constraint = 'former_subdomain_kept', table = 'former_subdomain';
        end if;
        delete from former_subdomain where subdomain = new.subdomain;
        if tg_op = 'UPDATE' then
          insert into former_subdomain (subdomain, license_id, freed_at) values (old.subdomain, new.id, now())
            on conflict (subdomain) do update set license_id = excluded.license_id, freed_at = excluded.freed_at;
          delete from former_subdomain where license_id = new.id and subdomain not in (
            select subdomain from former_subdomain where license_id = new.id order by freed_at desc limit 10);
        end if;
        return null;
      end $$`);
    this.addSql('revoke execute on function keep_former_subdomain from public');
    this.addSql(`
      create trigger former_subdomain after insert or update of subdomain on license
      for each row execute function keep_former_subdomain()`);
  }
}
