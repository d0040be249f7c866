// The item lists of a kit in the plugin's file: one for each container, with its number of slots.
import type { Schemas } from '../../platform-contract/types.ts';

export type Container = Schemas['KitItem']['container'];

/** The plugin uses them instead of a container field in each item. */
export const lists: Readonly<Record<Container, { field: string; key: string; slots: number }>> = {
  main: { field: 'main_items', key: 'MainItems', slots: 24 },
  wear: { field: 'wear_items', key: 'WearItems', slots: 8 },
  belt: { field: 'belt_items', key: 'BeltItems', slots: 6 },
};

/** In the order in which items are read. */
export const containers: readonly Container[] = ['main', 'wear', 'belt'];
