// Chat format: the configuration of BetterChat, and of the plugins that filter words and limit floods.
import type { ConfigData, KindDefinition } from '../kind.ts';
import type { Generation } from '../generations.ts';
import { hasKey } from '../json-text.ts';
import type { Remark } from '../reading.ts';

const configFile = 'config/BetterChat.json';

/** Up to version 4, one plugin did the work of three, with all settings in the same file. */
const generations: readonly Generation[] = [
  {
    name: 'v5',
    title: 'version 5 of BetterChat',
    signs: {
      [configFile]: hasKey('Maximal Titles', 'Maximal Characters Per Message', 'Reverse Title Order'),
    },
  },
  {
    name: 'v4',
    title: 'a version of BetterChat before 5',
    signs: {
      [configFile]: hasKey('General', 'Anti Flood', 'Word Filter'),
    },
  },
];

const isNamed = (group: unknown, name: string) =>
  typeof group === 'object' && group !== null && 'group' in group && group.group === name;

function faultsOf({ groups }: ConfigData): Remark[] {
  if (!Array.isArray(groups)) return [];
  const names = groups.map((group) => (group as ConfigData)['group']);
  const faults = names.flatMap((name, index) =>
    names.indexOf(name) === index
      ? []
      : [{ pointer: `/groups/${index}/group`, detail: 'stands there twice' }],
  );
  return groups.some((group) => isNamed(group, 'default'))
    ? faults
    : [...faults, { pointer: '/groups', detail: 'has no group called default, which the plugin needs' }];
}

export const chat: KindDefinition<'Chat'> = {
  name: 'chat',
  noun: 'Chat',
  title: 'chat',
  generations,
  files: [
    { file: 'data/BetterChat.json', field: 'groups', plugin: 'BetterChat' },
    { file: configFile, field: 'settings', plugin: 'BetterChat' },
    { file: configFile, field: 'legacy_settings', plugin: 'BetterChat' },
    { file: 'config/BetterChatFilter.json', field: 'word_filter', plugin: 'BetterChatFilter' },
    { file: 'config/BetterChatFlood.json', field: 'anti_flood', plugin: 'BetterChatFlood' },
  ],
  presets: [
    {
      name: 'Players and admins',
      description: 'Two groups: everybody, and admins in red. Replaces all groups: every other one is gone.',
      config: {
        groups: [
          { group: 'default', priority: 1, title: { text: '[Player]', color: '#55aaff', size: 15 } },
          { group: 'admin', priority: 0, title: { text: '[Admin]', color: '#ff4444', size: 15 } },
        ],
      },
    },
    {
      name: 'Calm',
      description:
        'No floods, no long messages. Replaces how often somebody may write, how long messages are, and how many titles they have in which order.',
      config: {
        settings: { max_titles: 1, max_characters: 96, reverses_titles: false },
        anti_flood: { cooldown_seconds: 8, messages: 3 },
      },
    },
  ],
  faultsOf,
};
