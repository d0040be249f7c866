// Bases that players raid: the configuration of the plugin RaidableBases in its edition with five difficulties.
import type { Node } from 'jsonc-parser';
import { propertyOf, valueOf } from '../json-text.ts';
import type { KindDefinition, PluginFile, Preset } from '../kind.ts';

const plugin = 'RaidableBases';
const levels = ['easy', 'medium', 'hard', 'expert', 'nightmare'] as const;
const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

/** The edition with one difficulty has one limit in the same file where this one has a limit for each. */
function hasDifficulties(root: Node): boolean {
  const management = ['Settings', 'Raid Management'].reduce<Node | undefined>(
    (node, key) => valueOf(propertyOf(node, key)),
    root,
  );
  const limit = 'Max Amount Of Players Allowed To Enter (0 = infinite, -1 = none)';
  return propertyOf(management, limit) === undefined;
}

const titleOf = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

const dataFile = (path: string, field: string): PluginFile => ({
  file: `data/RaidableBases/${path}.json`,
  field,
  plugin,
});

const filesOf = (level: (typeof levels)[number]): PluginFile[] => [
  { ...dataFile(`Profiles/${titleOf(level)} Bases`, `${level}_profile`), needs: ['difficulty'] },
  dataFile(`Difficulty_Loot/${titleOf(level)}`, `${level}_loot`),
  dataFile(`Base_Loot/${titleOf(level)} Bases`, `${level}_base_loot`),
];

/** Of all difficulties; the edition with a single one calls it normal. */
const sharedLoot = [
  dataFile('Default_Loot', 'default_loot'),
  dataFile('Difficulty_Loot/Normal', 'normal_loot'),
  ...days.map((day) => dataFile(`Weekday_Loot/${titleOf(day)}`, `${day}_loot`)),
];

/** Days on which each difficulty may be met. */
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
  files: [
    { file: 'config/RaidableBases.json', field: 'settings', plugin, isFor: hasDifficulties },
    ...levels.flatMap(filesOf),
    ...sharedLoot,
  ],
  presets: [
    { name: 'Every day', description: 'Every difficulty on every day.', config: calendar(() => days) },
    {
      name: 'Hard weekends',
      description: 'Expert and nightmare from Friday to Sunday only.',
      config: calendar((level) => (level === 'expert' || level === 'nightmare' ? weekend : days)),
    },
  ],
};
