// Splitting ore among the slots of furnaces: the configuration of the plugin FurnaceSplitter.
import type { Generation } from '../generations.ts';
import { hasKey } from '../json-text.ts';
import type { KindDefinition } from '../kind.ts';

const file = 'config/FurnaceSplitter.json';

/** Older versions have only the position of the panel. */
const generations: readonly Generation[] = [
  {
    name: 'furnaces',
    title: 'a version of FurnaceSplitter from 2.5 on',
    signs: {
      [file]: hasKey('ovens', 'savePlayerData'),
    },
  },
  {
    name: 'panel',
    title: 'a version of FurnaceSplitter before 2.5',
    signs: { [file]: hasKey('UiPosition') },
  },
];

export const furnaceSplitting: KindDefinition<'FurnaceSplitting'> = {
  name: 'furnace-splitting',
  noun: 'FurnaceSplitting',
  title: 'furnace splitting',
  generations,
  files: [{ file, plugin: 'FurnaceSplitter' }],
  presets: [
    {
      name: 'Everywhere',
      description:
        'In every furnace that has no settings of its own, with the fuel that it needs. Replaces the settings for all.',
      config: { furnaces: { all: { is_enabled: true, fuel_multiplier: 1 } } },
    },
    {
      name: 'Furnaces only',
      description:
        'In furnaces, not at camp fires and barbeques. Replaces the settings for all, and those of the three kinds of furnaces.',
      config: {
        furnaces: {
          all: { is_enabled: false, fuel_multiplier: 1 },
          furnace: { is_enabled: true, fuel_multiplier: 1 },
          large_furnace: { is_enabled: true, fuel_multiplier: 1 },
          electric_furnace: { is_enabled: true, fuel_multiplier: 1 },
        },
      },
    },
  ],
};
