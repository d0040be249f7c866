// Bans of which it is not known whether they reached the game are lifted as well.
import { Migration } from '@mikro-orm/migrations';

export class UncertainBans extends Migration {
  override up(): void {
    this.addSql('drop index player_action_until_idx');
    this.addSql(`
      create index on player_action (until)
      where kind = 'ban' and ended_at is null and until is not null and status <> 'pending'`);
  }
}
