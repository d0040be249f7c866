// Commands of the server console at their times: the configuration of the plugin TimedExecute.
import type { KindDefinition } from '../kind.ts';

export const timedCommands: KindDefinition<'TimedCommands'> = {
  name: 'timed-commands',
  noun: 'TimedCommands',
  title: 'timed command',
  files: [{ file: 'config/TimedExecute.json', plugin: 'TimedExecute' }],
  presets: [
    {
      name: 'Save often',
      description: 'Saves the world every five minutes.',
      config: { timer_repeat: { is_enabled: true, commands: { 'server.save': 300 } } },
    },
    {
      name: 'Bright nights',
      description: 'Skips the night as it begins.',
      config: { in_game_time: { is_enabled: true, commands: { '20:00': 'env.time 7' } } },
    },
  ],
};
