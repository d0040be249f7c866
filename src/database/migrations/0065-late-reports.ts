// Bounds what agents may say of the past, and bills no instance that no heartbeat has named.
import { Migration } from '@mikro-orm/migrations';

export class LateReports extends Migration {
  override up(): void {
    this.addSql(
      'alter table agent_host add column silent_since timestamptz(3), add column heard_again_at timestamptz(3)',
    );
    this.addSql('alter table game_instance add column is_unconfirmed boolean not null default false');

    // Resellers see of game servers only what their bills need.
    this.addSql(`create policy reseller on game_instance for select to gantry_reseller
      using (license_id in (select license_id from reseller_license))`);
    this.addSql('grant select (license_id, id, is_unconfirmed) on game_instance to gantry_reseller');

    // Before it: the history of a game server that is gone is kept for bills.
    this.addSql(`
      create function forget_unconfirmed_states() returns trigger
      language plpgsql security definer set search_path = pg_catalog, public as $$
      begin
        delete from instance_state_interval where license_id = old.license_id and instance_id = old.id;
        return old;
      end $$`);
    this.addSql('revoke execute on function forget_unconfirmed_states from public');
    this.addSql(`
      create trigger unconfirmed_forgotten before delete on game_instance
      for each row when (old.is_unconfirmed) execute function forget_unconfirmed_states()`);
  }
}
