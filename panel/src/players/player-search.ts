// Which players a list shows, as its address says.
import * as v from 'valibot';
import type { Schemas } from '../api/operations.ts';
import { anyOf, oneOf, text } from '../shared/address-values.ts';

export const views = ['online', 'known', 'banned', 'actions'] as const;

export type View = (typeof views)[number];

export const actionKinds = [
  'kick',
  'ban',
  'unban',
  'message',
  'note',
] as const satisfies Schemas['PlayerActionKind'][];

export const noFilters = { view: 'online', search: '', sort: '', kind: '' } as const;

export const playersSearch = v.object({
  view: oneOf(views, 'online'),
  search: text,
  /** Empty: the usual order of the list. */
  sort: text,
  kind: anyOf(actionKinds),
});

export type PlayersSearch = v.InferOutput<typeof playersSearch>;

/** Days of sessions that a player's record shows. */
export const periods = [7, 30, 90, 366] as const;

export const playerSearch = v.object({
  days: oneOf(periods, 30),
});

/** The same form as in the contract. */
export const isSteamId = (text: string): boolean => /^76561(19[7-9]|20[0-2])[0-9]{9}$/.test(text);

/** Whether one of the texts has the search in it, without regard to case. */
export function matches(search: string, ...texts: readonly (string | null)[]): boolean {
  const wanted = search.trim().toLowerCase();
  return wanted === '' || texts.some((text) => text?.toLowerCase().includes(wanted) === true);
}
