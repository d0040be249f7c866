// Returns the running game server of an instance, or the reason why its plugins cannot be managed.
import type { Instance } from '../supervisor/instance.ts';
import { failed } from '../supervisor/outcome.ts';
import type { Outcome } from '../supervisor/outcome.ts';
import { PluginGame } from './plugin-game.ts';

/** Returns null when only the files can be changed: the server is not running yet, or it has no RCON. */
export function gameOf(instance: Instance): PluginGame | Outcome | null {
  const { rcon } = instance.context;
  const isStarting = instance.state === 'starting' && rcon?.isConnected !== true;
  if (rcon === null || instance.pid === null || isStarting) return null;
  if (!rcon.isConnected) {
    const why = 'detail' in rcon.state ? ` ${rcon.state.detail}` : '';
    return failed('game_unreachable', `The game server is not connected over RCON.${why}`);
  }
  if (rcon.modding === null) return failed('not_supported', 'The game server runs neither Oxide nor Carbon.');
  return new PluginGame(rcon, rcon.modding.framework);
}
