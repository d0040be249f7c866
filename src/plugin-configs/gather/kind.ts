// Gather rates of resources: the configuration of the plugin GatherManager.
import { escaped } from '../json-text.ts';
import type { ConfigData, KindDefinition, Preset } from '../kind.ts';
import type { Remark } from '../reading.ts';
import type { Catalogue } from '../catalogue.ts';

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

/** The same rate for every resource and every way to gather it. */
function preset(rate: number): Preset {
  const named = Object.fromEntries(resources.map((resource) => [resource, rate]));
  const rates = { all: rate, ...named };
  return {
    name: `${rate}x`,
    description: `${rate === 1 ? 'As the game has it.' : `Everything yields ${rate} times as much.`} Replaces the rates of all and of nine resources in every way to get them; rates of others stay.`,
    config: { gather: rates, pickup: rates, quarry: rates, excavator: rates, survey: rates },
  };
}

const ways = ['gather', 'pickup', 'quarry', 'excavator', 'survey'];
/** Rates of sources, which the plugin stores among those of resources. */
const sources = ['Tree', 'Ore', 'Flesh'];

/** The plugin identifies resources by their display names. */
function warningsOf(config: ConfigData, { names }: Catalogue): Remark[] {
  return ways.flatMap((way) => {
    const { others = {} } = (config[way] ?? {}) as ConfigData;
    return Object.keys(others as ConfigData)
      .filter((name) => !names.has(name) && !sources.includes(name))
      .map((name) => ({
        pointer: `/${way}/others/${escaped(name)}`,
        detail: `${name} is no name that the game shows of an item of the catalogue; the plugin knows resources by those`,
      }));
  });
}

export const gather: KindDefinition<'Gather'> = {
  name: 'gather',
  noun: 'Gather',
  title: 'gathering',
  files: [{ file: 'config/GatherManager.json', plugin: 'GatherManager' }],
  presets: times.map(preset),
  warningsOf,
};
