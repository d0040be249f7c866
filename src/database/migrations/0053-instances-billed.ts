// The unit that resellers are billed by, what ran of deleted game servers, and the lines of bills as they were recorded.
import { Migration } from '@mikro-orm/migrations';
import { currentReseller } from '../../entities/reseller.ts';
import { currentLicense } from '../../entities/tenant.ts';
import { keepLicensesApart } from './helpers/tenant-table.ts';

export class InstancesBilled extends Migration {
  override up(): void {
    // A month has one rate and one unit; resellers that there are already keep theirs.
    this.addSql(`
      alter table reseller_rate add column unit text not null default 'license' check (unit in ('license', 'instance'))`);
    this.addSql('alter table reseller_rate alter column unit drop default');

    this.addSql(`
      alter table reseller_bill
        add column unit text not null default 'license' check (unit in ('license', 'instance')),
        add column instance_count integer check (instance_count >= 0),
        add column instance_days integer check (instance_days >= 0),
        add column charged_days integer check (charged_days >= 0)`);
    this.addSql('alter table reseller_bill alter column unit drop default');
    this.addSql(`
      create table reseller_bill_line (
        reseller_id uuid not null,
        month text not null,
        reseller_license_id uuid not null references reseller_license,
        active_days integer not null check (active_days > 0),
        instance_count integer not null check (instance_count >= 0),
        instance_days integer not null check (instance_days >= 0),
        charged_days integer not null check (charged_days > 0),
        amount bigint not null check (amount >= 0),
        active jsonb not null,
        primary key (reseller_id, month, reseller_license_id),
        foreign key (reseller_id, month) references reseller_bill (reseller_id, month)
      )`);
    this.addSql('create index on reseller_bill_line (reseller_license_id)');
    this.addSql(`
      create trigger append_only before update or delete or truncate on reseller_bill_line
      for each statement execute function refuse_change_of_record()`);

    // Without references: what ran stays on the bill, whatever becomes of the game server and of the license.
    this.addSql(`
      create table instance_run (
        license_id uuid not null default ${currentLicense},
        instance_id uuid not null,
        from_at timestamptz(3) not null,
        to_at timestamptz(3) not null,
        primary key (license_id, instance_id, from_at),
        check (to_at > from_at)
      )`);
    this.addSql('create index on instance_run (to_at)');
    keepLicensesApart(this, 'instance_run', { rights: 'select' });
    this.addSql(`
      create function keep_instance_run() returns trigger
      language plpgsql security definer set search_path = pg_catalog, public as $$
      begin
        -- Only with its game server: states that are corrected, or older than any bill, are not kept.
        if not exists (select from game_instance where license_id = old.license_id and id = old.instance_id)
          and exists (select from reseller_license where license_id = old.license_id) then
          insert into instance_run (license_id, instance_id, from_at, to_at)
          values (old.license_id, old.instance_id, old.from_at,
            greatest(coalesce(old.to_at, clock_timestamp()), old.from_at + interval '1 millisecond'))
          on conflict do nothing;
        end if;
        return null;
      end $$`);
    this.addSql('revoke execute on function keep_instance_run from public');
    this.addSql(`
      create trigger run_kept after delete on instance_state_interval
      for each row when (old.state = 'running') execute function keep_instance_run()`);

    for (const [table, rule] of [
      ['reseller_bill_line', `reseller_id = ${currentReseller}`],
      ['instance_run', 'license_id in (select license_id from reseller_license)'],
      ['instance_state_interval', 'license_id in (select license_id from reseller_license)'],
    ]) {
      this.addSql(`alter table ${table} enable row level security`);
      this.addSql(`create policy reseller on ${table} for select to gantry_reseller using (${rule})`);
      this.addSql(`grant select on ${table} to gantry_reseller`);
    }
  }
}
