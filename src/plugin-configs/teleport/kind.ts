// Player teleportation: the configuration of the plugin NTeleportation.
import { escaped } from '../json-text.ts';
import type { ConfigData, KindDefinition } from '../kind.ts';
import type { Remark } from '../reading.ts';
import type { Catalogue } from '../catalogue.ts';
import { unknownItems } from '../warnings.ts';

function warningsOf({ settings = {} }: ConfigData, catalogue: Catalogue): Remark[] {
  const { blocked_items: blocked = {} } = settings as ConfigData;
  const named = Object.keys(blocked as ConfigData).map((shortname) => ({
    pointer: `/settings/blocked_items/${escaped(shortname)}`,
    shortname,
  }));
  return unknownItems(named, catalogue, 'nobody carries what the game does not have');
}

export const teleport: KindDefinition<'Teleport'> = {
  name: 'teleport',
  noun: 'Teleport',
  title: 'teleportation',
  files: [{ file: 'config/NTeleportation.json', plugin: 'NTeleportation' }],
  presets: [
    {
      name: 'Short ways',
      description:
        'Few homes, long waits: teleporting stays something special. Replaces how many homes there are, and waits and daily limits of homes and requests.',
      config: {
        home: { homes_limit: 1, cooldown: 1800, countdown: 30, daily_limit: 3 },
        tpr: { cooldown: 1800, countdown: 30, daily_limit: 3 },
      },
    },
    {
      name: 'Relaxed',
      description:
        'Many homes, short waits. Replaces how many homes there are, and waits and daily limits of homes and requests.',
      config: {
        home: { homes_limit: 5, cooldown: 60, countdown: 5, daily_limit: 0 },
        tpr: { cooldown: 60, countdown: 5, daily_limit: 0 },
      },
    },
  ],
  warningsOf,
};
