// Says how many players something hits, before it is done.
import type { Schemas } from '../api/client.ts';

type Battlegroup = Schemas['Battlegroup'];

/** Players on all maps; null where no map tells. */
export function playersOn(battlegroup: Battlegroup | null): number | null {
  const told = (battlegroup?.maps ?? []).flatMap(({ players }) => (players === null ? [] : [players]));
  return told.length === 0 ? null : told.reduce((sum, players) => sum + players, 0);
}

export function PlayersHit({ players }: { players: number | null }) {
  if (players === 0) return <p>Nobody is on it now.</p>;
  if (players === null) return <p>Players who are on it are thrown out.</p>;
  return (
    <p>
      <strong>
        {players} {players === 1 ? 'player is' : 'players are'} on it now and will be thrown out.
      </strong>
    </p>
  );
}
