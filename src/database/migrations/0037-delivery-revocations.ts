// Lets what has arrived once more be taken back once more.
import { Migration } from '@mikro-orm/migrations';

export class DeliveryRevocations extends Migration {
  override up(): void {
    this.addSql('drop index store_delivery_once');
    // Whatever is done twice, a unit is brought to an instance once for its purchase, and once after each wipe.
    this.addSql(
      `create unique index store_delivery_once on store_delivery
         (line_id, unit, instance_id, coalesce(wipe_id, '00000000-0000-0000-0000-000000000000'))
       where resend_of is null and kind = 'delivery'`,
    );
    this.addSql(
      `create unique index store_delivery_one_revocation on store_delivery (line_id, unit, instance_id)
       where resend_of is null and kind = 'revocation' and finished_at is null`,
    );
  }
}
