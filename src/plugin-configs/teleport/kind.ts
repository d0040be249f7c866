// Teleportation of players: the configuration of the plugin NTeleportation.
import type { KindDefinition } from '../kind.ts';

export const teleport: KindDefinition<'Teleport'> = {
  name: 'teleport',
  noun: 'Teleport',
  title: 'teleportation',
  files: [{ file: 'config/NTeleportation.json', plugin: 'NTeleportation' }],
  presets: [
    {
      name: 'Short ways',
      description: 'Few homes, long waits: teleporting stays something special.',
      config: {
        home: { homes_limit: 1, cooldown: 1800, countdown: 30, daily_limit: 3 },
        tpr: { cooldown: 1800, countdown: 30, daily_limit: 3 },
      },
    },
    {
      name: 'Relaxed',
      description: 'Many homes, short waits.',
      config: {
        home: { homes_limit: 5, cooldown: 60, countdown: 5, daily_limit: 0 },
        tpr: { cooldown: 60, countdown: 5, daily_limit: 0 },
      },
    },
  ],
};
