// How much resources yield: the configuration of the plugin GatherManager.
import type { KindDefinition, Preset } from '../kind.ts';

const resources = [
  'wood',
  'stones',
  'metal_ore',
  'sulfur_ore',
  'high_quality_metal_ore',
  'cloth',
  'leather',
  'animal_fat',
  'bone_fragments',
] as const;

const times = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

/** Everything by the same rate, whatever the way to get it. */
function preset(rate: number): Preset {
  const named = Object.fromEntries(resources.map((resource) => [resource, rate]));
  const rates = { all: rate, ...named };
  return {
    name: `${rate}x`,
    description: rate === 1 ? 'As the game has it.' : `Everything yields ${rate} times as much.`,
    config: { gather: rates, pickup: rates, quarry: rates, excavator: rates, survey: rates },
  };
}

export const gather: KindDefinition<'Gather'> = {
  name: 'gather',
  noun: 'Gather',
  title: 'gathering',
  files: [{ file: 'config/GatherManager.json', plugin: 'GatherManager' }],
  presets: times.map(preset),
};
