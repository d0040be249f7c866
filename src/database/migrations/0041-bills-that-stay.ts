// Keeps on the bills of resellers what licenses have cost that are there no more.
import { Migration } from '@mikro-orm/migrations';

export class BillsThatStay extends Migration {
  override up(): void {
    this.addSql(`
      alter table reseller_license
        add column deleted_at timestamptz(3),
        drop constraint reseller_license_license_id_fkey,
        drop constraint reseller_license_reseller_id_server_id_key`);
    this.addSql(
      `create unique index reseller_license_sold on reseller_license (reseller_id, server_id) where deleted_at is null`,
    );
    this.addSql(`
      create function record_deletion() returns trigger
      language plpgsql security definer set search_path = pg_catalog, public as $$
      begin
        insert into license_activity (license_id, is_active) select old.id, false where old.status = 'active';
        update reseller_license set deleted_at = now(), sealed_secrets = null where license_id = old.id;
        return null;
      end $$`);
    this.addSql('revoke execute on function record_deletion from public');
    this.addSql(
      `create trigger deletion after delete on license for each row execute function record_deletion()`,
    );
  }
}
