// Turns players who join and leave in a simulation into the events that a plugin would send.
import type { Schemas } from '../../platform-contract/types.ts';
import type { PlayerSign } from '../../sandbox/state.ts';

export const eventOf = ({
  instance,
  steamId,
  name,
  event,
  atMs,
  id,
}: PlayerSign): Schemas['PlayerEvent'] => ({
  instance,
  steam_id: steamId,
  display_name: name,
  event,
  occurred_at: new Date(atMs).toISOString(),
  event_id: id,
});
