// The new map of a wipe, in words.
import { useCallback } from 'react';
import { useTexts } from '../texts/texts.ts';
import type { Wipe } from './wipe-status.ts';

type NewMap = Pick<Wipe, 'kind' | 'seed' | 'world_size' | 'map_id'>;

export function useMapWords(): (wipe: NewMap) => string {
  const t = useTexts('wipes');
  return useCallback(
    ({ kind, seed, world_size, map_id }) => {
      if (kind === 'blueprints') return '–';
      if (map_id !== null) return t('newMap.uploaded');
      // Seeds are names rather than numbers, so they have no separators.
      const parts = [
        ...(seed === null ? [] : [t('newMap.seed', { seed: String(seed) })]),
        ...(world_size === null ? [] : [t('newMap.size', { size: world_size })]),
      ];
      return parts.length === 0 ? t('newMap.same') : parts.join(' · ');
    },
    [t],
  );
}
