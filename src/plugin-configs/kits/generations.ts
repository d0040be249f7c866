// Distinguishes version 4 of Kits from version 3, whose kits use numeric item ids and are in data/Kits.json.
import type { Generation } from '../generations.ts';
import { hasKey } from '../json-text.ts';

export const kitsFile = 'data/Kits/kits_data.json';
export const configFile = 'config/Kits.json';

/** Version 3 writes its configuration at each start, so that file is more reliable than kits from another program. */
export const generations: readonly Generation[] = [
  {
    name: 'v4',
    title: 'version 4 of Kits',
    signs: {
      [configFile]: hasKey(
        'Log kits given',
        'Use the Kits UI menu',
        'Autokits ordered by priority',
        'Kit menu items when opened via HumanNPC (NPC user ID | Items)',
      ),
      [kitsFile]: hasKey('_kits'),
    },
  },
  {
    name: 'v3',
    title: 'version 3 of Kits',
    signs: {
      [configFile]: hasKey('NPC - GUI Kits', 'CopyPaste - Parameters', 'Custom AutoKits', 'Kit - Logging'),
      [kitsFile]: hasKey('Kits'),
    },
  },
];
