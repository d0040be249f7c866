// Notes about players, beside what was done to them.
import { Migration } from '@mikro-orm/migrations';
import { recordEvents } from './helpers/events.ts';

export class PlayerNotes extends Migration {
  override up(): void {
    this.addSql('alter table player_action drop constraint player_action_kind_check');
    this.addSql(`
      alter table player_action add constraint player_action_kind_check
      check (kind in ('kick', 'ban', 'unban', 'message', 'note'))`);
    recordEvents(this, 'player_action', [
      {
        on: 'insert',
        type: 'player.noted',
        when: `new.kind = 'note'`,
        subject: 'new.steam_id',
        instance: 'new.instance_id',
        data: {
          action_id: 'new.id',
          steam_id: 'new.steam_id',
          instance_name: 'new.instance_name',
          requested_by: 'new.requested_by',
        },
      },
    ]);
  }
}
