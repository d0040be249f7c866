// The editors that are made for one kind; each is loaded with the first configuration of its kind.
import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import type { KindName } from '../kinds.ts';
import type { EditorProps } from './editing.ts';

export interface KindEditor {
  Editor: LazyExoticComponent<ComponentType<EditorProps>>;
  /** Fields at the root that it shows; all others are shown below it. */
  covers: readonly string[];
}

const raidDifficulties = ['easy', 'medium', 'hard', 'expert', 'nightmare'];
const raidDays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const raidLoot = [
  ...raidDifficulties.flatMap((name) => [`${name}_loot`, `${name}_base_loot`]),
  ...raidDays.map((name) => `${name}_loot`),
  'default_loot',
  'normal_loot',
];

const editors: Partial<Record<KindName, KindEditor>> = {
  loot: {
    Editor: lazy(() => import('./loot/loot-editor.tsx')),
    covers: ['loot_table', 'loot_groups', 'legacy_loot_table'],
  },
  kits: {
    Editor: lazy(() => import('./kits/kits-editor.tsx')),
    covers: ['kits'],
  },
  chat: {
    Editor: lazy(() => import('./chat/chat-editor.tsx')),
    covers: ['groups'],
  },
  'timed-commands': {
    Editor: lazy(() => import('./timed-commands/timed-editor.tsx')),
    covers: ['timer_repeat', 'timer_once', 'real_time', 'in_game_time', 'on_connect', 'on_disconnect'],
  },
  'raidable-bases': {
    Editor: lazy(() => import('./raidable-bases/raids-editor.tsx')),
    covers: raidLoot,
  },
  teleport: {
    Editor: lazy(() => import('./tables/teleport-editor.tsx')),
    covers: [],
  },
  'automatic-doors': {
    Editor: lazy(() => import('./tables/doors-editor.tsx')),
    covers: ['doors'],
  },
  'furnace-splitting': {
    Editor: lazy(() => import('./tables/furnaces-editor.tsx')),
    covers: ['furnaces'],
  },
  gather: {
    Editor: lazy(() => import('./gather/gather-editor.tsx')),
    covers: ['gather', 'pickup', 'quarry', 'excavator', 'survey'],
  },
};

export const editorOf = (kind: KindName): KindEditor | undefined => editors[kind];
