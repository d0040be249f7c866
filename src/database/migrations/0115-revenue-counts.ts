// Subscriptions that are charged, counted like servers: for each license, and moved with it when it is revoked.
import { Migration } from '@mikro-orm/migrations';

const isReal = '(select not is_sandbox from license where license.id = known.license_id)';

/** The parts of the key are those by which revenue is added up. */
const key = 'jsonb_build_array(known.kind, known.reference, known.currency, known.period)::text';

const counts = `(values ('subscriptions', 1), ('revenue_cents', (known.amount * 100)::bigint)) as count (figure, n)`;

export class RevenueCounts extends Migration {
  override up(): void {
    this.#countSubscriptions();
    this.#extendView();
    // Creating the triggers has locked the table, so nothing changes until the migration is committed.
    this.addSql(`
      insert into license_count_change (license_id, figure, key, n)
      select owner_id, figure, key, n from counted_licenses where figure in ('subscriptions', 'revenue_cents')`);
  }

  #countSubscriptions(): void {
    const add = (row: 'old' | 'new', sign: string) => `
      insert into license_count_change (license_id, figure, key, n)
      select known.license_id, count.figure, ${key}, ${sign}count.n
      from (select ${row}.*) as known cross join lateral ${counts}
      where known.status = 'active' and ${isReal};`;
    this.addSql(`
      create function count_subscription() returns trigger
      language plpgsql security definer set search_path = pg_catalog, public as $$
      begin
        if tg_op <> 'INSERT' then ${add('old', '-')} end if;
        if tg_op <> 'DELETE' then ${add('new', '')} end if;
        return null;
      end $$`);
    this.addSql('revoke execute on function count_subscription from public');
    const columns = ['license_id', 'status', 'kind', 'reference', 'currency', 'period', 'amount'];
    const row = (name: string) => `(${columns.map((column) => `${name}.${column}`).join(', ')})`;
    this.addSql(
      'create trigger counted after insert or delete on subscription for each row execute function count_subscription()',
    );
    this.addSql(`
      create trigger counted_again after update on subscription for each row
      when (${row('old')} is distinct from ${row('new')}) execute function count_subscription()`);
  }

  #extendView(): void {
    this.addSql(`
      create or replace view counted_licenses as
      select license_id as owner_id, 'instances' as figure, state as key, count(*) as n from game_instance as known
      where ${isReal} group by 1, 3
      union all
      select license_id, 'players', '', sum(players) from game_instance as known
      where state = 'running' and players <> 0 and ${isReal} group by 1
      union all
      select known.license_id, count.figure, ${key}, sum(count.n)::bigint from subscription as known cross join lateral ${counts}
      where known.status = 'active' and ${isReal} group by 1, 2, 3`);
  }
}
