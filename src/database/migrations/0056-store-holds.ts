// Records by which network an order was made, so that no source holds all of a limited stock; only until the order ends.
import { Migration } from '@mikro-orm/migrations';

export class StoreHolds extends Migration {
  override up(): void {
    this.addSql(`
      alter table store_order add column source_hash text,
        add constraint store_order_source_hash_check check (source_hash is null or status = 'pending')`);
    // Orders end in several places; none of them can forget it.
    this.addSql(`
      create function clear_order_source() returns trigger language plpgsql as $$
      begin
        new.source_hash := null;
        return new;
      end $$`);
    this.addSql(`
      create trigger source_cleared before insert or update on store_order
      for each row when (new.status <> 'pending' and new.source_hash is not null)
      execute function clear_order_source()`);
  }
}
