// Ore that is split among the slots of furnaces: the configuration of the plugin FurnaceSplitter.
import type { KindDefinition } from '../kind.ts';

export const furnaceSplitting: KindDefinition<'FurnaceSplitting'> = {
  name: 'furnace-splitting',
  noun: 'FurnaceSplitting',
  title: 'furnace splitting',
  files: [{ file: 'config/FurnaceSplitter.json', plugin: 'FurnaceSplitter' }],
  presets: [
    {
      name: 'Everywhere',
      description: 'In every furnace, with the fuel that it needs.',
      config: { furnaces: { all: { is_enabled: true, fuel_multiplier: 1 } } },
    },
    {
      name: 'Furnaces only',
      description: 'In furnaces, not at camp fires and barbeques.',
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
