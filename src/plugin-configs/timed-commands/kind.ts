// Scheduled server console commands: the configuration of the plugin TimedExecute.
import { templateFault } from '../../text/command-templates.ts';
import type { Generation } from '../generations.ts';
import { hasKey } from '../json-text.ts';
import type { ConfigData, KindDefinition } from '../kind.ts';
import type { Remark } from '../reading.ts';

const file = 'config/TimedExecute.json';

const generations: readonly Generation[] = [
  {
    name: 'v0.7',
    title: 'a version of TimedExecute from 0.7 on',
    signs: {
      [file]: hasKey('EnableRealTime-Timer', 'EnableInGameTime-Timer', 'InGameTime-Timer'),
    },
  },
  {
    name: 'v0.6',
    title: 'a version of TimedExecute before 0.7',
    signs: { [file]: hasKey('EnabledRealTime-Timer') },
  },
];

/** The plugin does not handle joining and leaving players, so the platform runs these commands. */
const playerCommands = { join: 'on_connect', leave: 'on_disconnect' } as const;
const placeholders = ['steam_id', 'player_name'];

function faultsOf(config: ConfigData): Remark[] {
  return Object.values(playerCommands).flatMap((field) =>
    ((config[field] ?? []) as readonly string[]).flatMap((command, index) => {
      const detail = templateFault(command, placeholders);
      return detail === null ? [] : [{ pointer: `/${field}/${index}`, detail }];
    }),
  );
}

export const timedCommands: KindDefinition<'TimedCommands'> = {
  name: 'timed-commands',
  noun: 'TimedCommands',
  title: 'timed command',
  alsoNeeds: ['console.input'],
  generations,
  files: [{ file, plugin: 'TimedExecute', needs: 'all' }],
  presets: [
    {
      name: 'Save often',
      description:
        'Saves the world every five minutes. Replaces all commands that are repeated: every other one is gone.',
      config: { timer_repeat: { is_enabled: true, commands: { 'server.save': 300 } } },
    },
    {
      name: 'Bright nights',
      description:
        'Skips the night as it begins. Replaces all commands at times of the game: every other one is gone.',
      config: { in_game_time: { is_enabled: true, commands: { '20:00': 'env.time 7' } } },
    },
    {
      name: 'Greetings',
      description:
        'Welcomes players by name. Replaces all commands for players who join: every other one is gone.',
      config: { on_connect: ['say Welcome {player_name}'] },
    },
  ],
  playerCommands,
  faultsOf,
};
