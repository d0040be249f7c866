// How many players wait for a place on a game server, as its heartbeats say.
import { Migration } from '@mikro-orm/migrations';

export class QueuedPlayers extends Migration {
  override up(): void {
    for (const table of ['game_instance', 'instance_stats'])
      this.addSql(`alter table ${table} add column queued integer`);
  }
}
