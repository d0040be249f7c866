// A character's state and times in a uniform format.
import type { Schemas } from '../api/client.ts';
import { StateText } from '@gantry/ui/state-text.tsx';

export function OnlineState({
  character,
}: {
  character: Pick<Schemas['Character'], 'isOnline' | 'onlineStatus'>;
}) {
  return <StateText tone={character.isOnline ? 'good' : 'idle'}>{character.onlineStatus}</StateText>;
}

export function dateInWords(at: string | null): string {
  return at === null ? '–' : new Date(at).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });
}
