// Has periodic work find what is due by an index, however much there is that is not.
import { Migration } from '@mikro-orm/migrations';
import { currentLicense } from '../../entities/tenant.ts';
import { keepLicensesApart } from './helpers/tenant-table.ts';

export class DueWork extends Migration {
  override up(): void {
    this.#createRounds();
    this.#createMonths();
    this.#createIndexes();
  }

  /** A license has its rounds of alerts for as long as there is something to look at. */
  #createRounds(): void {
    this.addSql('create index on alert_round (begun_at, license_id)');
    this.addSql('create index on alert (license_id, raised_at)');
    this.addSql(`
      create function have_alerts_looked_for() returns trigger
      language plpgsql security definer set search_path = pg_catalog, public as $$
      begin
        -- Whoever is about to end the rounds is waited for, and waits for this.
        insert into alert_round (license_id, begun_at) values ((to_jsonb(new) ->> tg_argv[0])::uuid, '-infinity')
          on conflict (license_id) do update set begun_at = alert_round.begun_at;
        return null;
      end $$`);
    this.addSql('revoke execute on function have_alerts_looked_for from public');
    this.addSql(`
      create trigger alerts_looked_for after insert on agent_host
      for each row execute function have_alerts_looked_for('license_id')`);
    this.addSql(`
      create trigger alerts_looked_for after update of status on license
      for each row when (new.status = 'active' and old.status <> 'active')
      execute function have_alerts_looked_for('id')`);
    this.addSql(`
      insert into alert_round (license_id, begun_at)
      select license_id, '-infinity'::timestamptz from agent_host
      union select license_id, '-infinity' from alert where ended_at is null
      on conflict do nothing`);
  }

  #createMonths(): void {
    this.addSql(`
      create table map_month_end (
        license_id uuid primary key default ${currentLicense} references license on delete cascade,
        summed_up_to timestamptz(3) not null default '-infinity'
      )`);
    keepLicensesApart(this, 'map_month_end');
    this.addSql('create index on map_month_end (summed_up_to)');
    this.addSql(`
      create function have_months_summed_up() returns trigger language plpgsql as $$
      begin
        insert into map_month_end (license_id) values (new.license_id) on conflict do nothing;
        return null;
      end $$`);
    this.addSql(`
      create trigger months_summed_up after insert on played_map
      for each row execute function have_months_summed_up()`);
    this.addSql(`
      insert into map_month_end (license_id, summed_up_to)
      select license_id, coalesce((
        select (max(month) + interval '1 month') at time zone 'UTC' from map_month
        where map_month.license_id = played.license_id), '-infinity')
      from (select distinct license_id from played_map) as played`);
  }

  #createIndexes(): void {
    this.addSql('drop index store_delivery_instance_id_next_attempt_at_idx');
    this.addSql(`create index on store_delivery (instance_id, next_attempt_at) where status = 'waiting'`);
    this.addSql(
      `create index on store_delivery (created_at) where instance_id is null and finished_at is null`,
    );
    this.addSql(`create index on store_payment_event (received_at) where outcome = 'unmatched'`);
    this.addSql('create index on store_account (retired_at) where retired_at is not null');
    this.addSql(`create index on player_action (created_at) where status = 'pending'`);
    this.addSql('create index on plugin_application (created_at) where finished_at is null');
    this.addSql('create index on sent_mail (sent_at)');
    this.addSql('create index on refresh_token (expires_at)');
  }
}
