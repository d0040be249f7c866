// What chat looks like: the configuration of BetterChat, and of the plugins that filter words and hold back floods.
import type { ConfigData, KindDefinition } from '../kind.ts';
import type { Remark } from '../reading.ts';

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
  files: [
    { file: 'data/BetterChat.json', field: 'groups', plugin: 'BetterChat' },
    { file: 'config/BetterChat.json', field: 'settings', plugin: 'BetterChat' },
    { file: 'config/BetterChatFilter.json', field: 'word_filter', plugin: 'BetterChatFilter' },
    { file: 'config/BetterChatFlood.json', field: 'anti_flood', plugin: 'BetterChatFlood' },
  ],
  presets: [
    {
      name: 'Players and admins',
      description: 'Two groups: everybody, and admins in red.',
      config: {
        groups: [
          { group: 'default', priority: 1, title: { text: '[Player]', color: '#55aaff', size: 15 } },
          { group: 'admin', priority: 0, title: { text: '[Admin]', color: '#ff4444', size: 15 } },
        ],
      },
    },
    {
      name: 'Calm',
      description: 'No floods, no long messages.',
      config: {
        settings: { max_titles: 1, max_characters: 96, reverses_titles: false },
        anti_flood: { cooldown_seconds: 8, messages: 3 },
      },
    },
  ],
  faultsOf,
};
