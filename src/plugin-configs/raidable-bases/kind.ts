// Bases that players raid: the configuration of the plugin RaidableBases, in both of its editions.
import type { Node } from 'jsonc-parser';
import type { Generation } from '../generations.ts';
import { hasKey, propertyOf, valueOf } from '../json-text.ts';
import type { KindDefinition, PluginFile, Preset } from '../kind.ts';
import { stays } from '../reading.ts';
import { warningsOf } from './warnings.ts';

const plugin = 'RaidableBases';
const levels = ['easy', 'medium', 'hard', 'expert', 'nightmare'] as const;
const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

const titleOf = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

const configFile = 'config/RaidableBases.json';
const profileOf = (level: string) => `data/RaidableBases/Profiles/${titleOf(level)} Bases.json`;

const managementIn = (root: Node) =>
  ['Settings', 'Raid Management'].reduce<Node | undefined>(
    (node, key) => valueOf(propertyOf(node, key)),
    root,
  );

/** Only the edition with five difficulties has these. */
const isOfLevels = hasKey(
  ...levels.map((level) => `${titleOf(level)} Raids Can Spawn On`),
  'Max Amount Of Players Allowed To Enter Each Difficulty (0 = infinite, -1 = none)',
  'Max Amount Allowed To Automatically Spawn Per Difficulty (0 = infinite, -1 = disabled)',
);
const isOfOne = hasKey(
  'Max Amount Of Players Allowed To Enter (0 = infinite, -1 = none)',
  'Grids To Block Spawns At',
  'Block Spawns At Positions',
);
const hasDifficulty = hasKey('Difficulty (0 = easy, 1 = medium, 2 = hard, 3 = expert, 4 = nightmare)');

const inEveryProfile = (sign: (root: Node) => boolean) =>
  Object.fromEntries(levels.map((level) => [profileOf(level), sign]));

const generations: readonly Generation[] = [
  {
    name: 'five',
    title: 'the edition of RaidableBases with five difficulties',
    signs: { [configFile]: (root) => isOfLevels(managementIn(root)), ...inEveryProfile(hasDifficulty) },
  },
  {
    name: 'one',
    title: 'the edition of RaidableBases with one difficulty',
    signs: {
      [configFile]: (root) => isOfOne(managementIn(root)),
    },
  },
];

const dataFile = (path: string, field: string): PluginFile => ({
  file: `data/RaidableBases/${path}.json`,
  field,
  plugin,
});

const filesOf = (level: (typeof levels)[number]): PluginFile[] => [
  { file: profileOf(level), field: `${level}_profile`, plugin, needs: ['difficulty'] },
  dataFile(`Difficulty_Loot/${titleOf(level)}`, `${level}_loot`),
  dataFile(`Base_Loot/${titleOf(level)} Bases`, `${level}_base_loot`),
];

/** The edition with a single difficulty calls it normal. */
const sharedLoot = [
  dataFile('Default_Loot', 'default_loot'),
  dataFile('Difficulty_Loot/Normal', 'normal_loot'),
  ...days.map((day) => dataFile(`Weekday_Loot/${titleOf(day)}`, `${day}_loot`)),
];

/** The days on which each difficulty is available. */
function calendar(daysOf: (level: (typeof levels)[number]) => readonly string[]): Preset['config'] {
  const management = levels.map((level) => [
    `${level}_raids_can_spawn_on`,
    Object.fromEntries(days.map((day) => [day, daysOf(level).includes(day)])),
  ]);
  return { settings: { settings: { raid_management: Object.fromEntries(management) as Preset['config'] } } };
}

const weekend = ['friday', 'saturday', 'sunday'];

export const raidableBases: KindDefinition<'RaidableBases'> = {
  name: 'raidable-bases',
  noun: 'RaidableBases',
  title: 'raidable base',
  generations,
  folders: [
    {
      folder: 'data/RaidableBases/Profiles',
      detail: `is a profile of its own, and is not read; it ${stays}`,
    },
  ],
  files: [{ file: configFile, field: 'settings', plugin }, ...levels.flatMap(filesOf), ...sharedLoot],
  presets: [
    {
      name: 'Every day',
      description: 'Every difficulty on every day. Replaces the days of all difficulties.',
      config: calendar(() => days),
    },
    {
      name: 'Hard weekends',
      description: 'Expert and nightmare from Friday to Sunday only. Replaces the days of all difficulties.',
      config: calendar((level) => (level === 'expert' || level === 'nightmare' ? weekend : days)),
    },
  ],
  warningsOf,
};
