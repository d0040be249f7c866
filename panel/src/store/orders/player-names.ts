// The names of players who bought something: those of their sessions, else those that the buyers entered.
import { useMemo } from 'react';
import { useMay } from '../../api/may.ts';
import { usePages } from '../../api/reading.ts';

/** Of each list, the newest. */
const maxRead = 100;

/** By SteamID; empty without the permissions to see either list. */
export function usePlayerNames(): ReadonlyMap<string, string> {
  const maySeeOrders = useMay('GET /api/webstore/transactions');
  const maySeeSessions = useMay('GET /api/analytics/sessions');
  const orders = usePages('/api/webstore/transactions', {}, { limit: maxRead, enabled: maySeeOrders }).items;
  const sessions = usePages('/api/analytics/sessions', {}, { limit: maxRead, enabled: maySeeSessions }).items;
  return useMemo(() => {
    const names = new Map<string, string>();
    const add = (steamId: string, name: string | null) => {
      if (name !== null && !names.has(steamId)) names.set(steamId, name);
    };
    for (const { steam_id, display_name } of sessions ?? []) add(steam_id, display_name);
    for (const { steam_id, player_name } of orders ?? []) add(steam_id, player_name);
    return names;
  }, [orders, sessions]);
}
