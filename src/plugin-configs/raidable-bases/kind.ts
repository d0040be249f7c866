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

function filesOf(level: (typeof levels)[number]): PluginFile[] {
  const title = `${level.charAt(0).toUpperCase()}${level.slice(1)}`;
  return [
    {
      file: `data/RaidableBases/Profiles/${title} Bases.json`,
      field: `${level}_profile`,
      plugin,
      needs: ['difficulty'],
    },
    { file: `data/RaidableBases/Difficulty_Loot/${title}.json`, field: `${level}_loot`, plugin },
  ];
}

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
