// The items of the game by their short names.
import { useMemo } from 'react';
import { useRead } from '../../../api/reading.ts';
import type { Schemas } from '../../../api/operations.ts';

export type Item = Schemas['GameItem'];

/** What an entry's name says beside the item: its blueprint, or that it is a second entry of the same item. */
const suffix = /(?:\.blueprint|\.bp|\{\d+\})+$/;

export const plainName = (shortname: string): string => shortname.replace(suffix, '');

export function useItems(): ReadonlyMap<string, Item> {
  const { data } = useRead('/api/game-data/items');
  return useMemo(() => new Map((data?.data ?? []).map((item) => [item.shortname, item])), [data]);
}
