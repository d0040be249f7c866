// Doors that close by themselves: the configuration of the plugin AutoDoors.
import type { ConfigData, KindDefinition } from '../kind.ts';
import type { Remark } from '../reading.ts';

/** What the plugin itself goes by where a delay is left out. */
const defaults = { default_delay_seconds: 5, min_delay_seconds: 5, max_delay_seconds: 10 };

function faultsOf(config: ConfigData): Remark[] {
  const delay = (name: keyof typeof defaults) => Number(config[name] ?? defaults[name]);
  const given = Object.keys(defaults).some((name) => config[name] !== undefined);
  const [least, usual, most] = [
    delay('min_delay_seconds'),
    delay('default_delay_seconds'),
    delay('max_delay_seconds'),
  ];
  return given && (usual < least || usual > most)
    ? [
        {
          pointer: '/default_delay_seconds',
          detail: 'is not between min_delay_seconds and max_delay_seconds',
        },
      ]
    : [];
}

const preset = (name: string, description: string, [least, usual, most]: [number, number, number]) => ({
  name,
  description,
  config: { min_delay_seconds: least, default_delay_seconds: usual, max_delay_seconds: most },
});

export const automaticDoors: KindDefinition<'AutomaticDoors'> = {
  name: 'automatic-doors',
  noun: 'AutomaticDoors',
  title: 'automatic door',
  files: [{ file: 'config/AutoDoors.json', plugin: 'AutoDoors' }],
  presets: [
    preset('Quick', 'Doors close behind you. Replaces the three delays.', [1, 3, 10]),
    preset('Relaxed', 'Doors leave time to carry something. Replaces the three delays.', [5, 15, 60]),
  ],
  faultsOf,
};
