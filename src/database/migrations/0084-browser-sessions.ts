// Refresh tokens in the cookies of browsers.
import { Migration } from '@mikro-orm/migrations';

export class BrowserSessions extends Migration {
  override up(): void {
    this.addSql('alter table refresh_token add column is_in_cookie boolean not null default false');
  }
}
