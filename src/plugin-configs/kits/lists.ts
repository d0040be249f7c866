// The item lists of a kit in the plugin's file: one for each container, with its number of slots.
import type { ConfigData } from '../kind.ts';

/** The plugin uses them instead of a container field in each item. */
export const lists = {
  main: { field: 'main_items', key: 'MainItems', slots: 24 },
  wear: { field: 'wear_items', key: 'WearItems', slots: 8 },
  belt: { field: 'belt_items', key: 'BeltItems', slots: 6 },
} as const;

export type Container = keyof typeof lists;

export type Kit = ConfigData & { items?: readonly ConfigData[] };
