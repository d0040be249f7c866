// Founding places are taken by confirming an address; nothing is set aside for one that is not confirmed.
import { Migration } from '@mikro-orm/migrations';

export class ConfirmedPlaces extends Migration {
  override up(): void {
    this.addSql('alter table early_access_claim drop column place_until');
  }
}
