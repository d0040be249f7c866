// Shows how many players an action affects before it is confirmed.
import type { Schemas } from '../api/client.ts';

type Battlegroup = Schemas['Battlegroup'];

/** Players on all maps; null where no map reports them. */
export function playersOn(battlegroup: Battlegroup | null): number | null {
  const known = (battlegroup?.maps ?? []).flatMap(({ players }) => (players === null ? [] : [players]));
  return known.length === 0 ? null : known.reduce((sum, players) => sum + players, 0);
}

export function PlayersHit({ players }: { players: number | null }) {
  if (players === 0) return <p>No players are online.</p>;
  if (players === null) return <p>Players who are online are disconnected.</p>;
  return (
    <p>
      <strong>
        {players} {players === 1 ? 'player is' : 'players are'} online and will be disconnected.
      </strong>
    </p>
  );
}
