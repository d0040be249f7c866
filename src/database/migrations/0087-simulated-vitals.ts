// Stores what heartbeats of simulated hosts report beside their states, and which sandboxes are unused.
import { Migration } from '@mikro-orm/migrations';

const serverVitals = ['state', 'startedMs', 'seed', 'worldSize', 'maxPlayers']
  .map((name) => `'${name}', server -> '${name}'`)
  .join(', ');

export class SimulatedVitals extends Migration {
  override up(): void {
    this.addSql(`
      alter table simulated_host add column vitals jsonb, add column is_unused boolean not null default false`);
    // Earlier programs store hosts without them; their first step adds them.
    this.addSql(`
      update simulated_host set vitals = jsonb_build_object(
        'boot', state -> 'boot', 'isSilent', state -> 'isSilent', 'servers', (
          select jsonb_object_agg(name, jsonb_build_object(${serverVitals},
            'playerCount', jsonb_array_length(server -> 'players')))
          from jsonb_each(state -> 'servers') as servers(name, server)))`);
  }
}
