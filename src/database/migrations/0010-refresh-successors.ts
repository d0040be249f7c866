// Which refresh token came after which, so that one whose answer was lost can be exchanged again.
import { Migration } from '@mikro-orm/migrations';

export class RefreshSuccessors extends Migration {
  override up(): void {
    this.addSql('alter table refresh_token add column successor_hash text');
  }
}
