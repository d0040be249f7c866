// What is to be done to a player, and how lists ask for it.
import type { Schemas } from '../api/operations.ts';

export interface PlayerTask {
  kind: Exclude<Schemas['PlayerActionKind'], 'note'>;
  steamId: string;
  /** The name if it is known, otherwise the SteamID. */
  name: string;
}

export interface ListProps {
  instanceId: string;
  onTask: (task: PlayerTask) => void;
}
