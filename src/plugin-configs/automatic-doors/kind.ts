// Automatically closing doors: the configuration of the plugin AutoDoors.
import type { ConfigData, KindDefinition } from '../kind.ts';
import type { Generation } from '../generations.ts';
import { hasKey } from '../json-text.ts';
import type { Remark } from '../reading.ts';

const file = 'config/AutoDoors.json';

const generations: readonly Generation[] = [
  {
    name: 'v3',
    title: 'version 3 of AutoDoors',
    signs: { [file]: hasKey('Global settings', 'Chat settings', 'Door Settings', 'Use permissions') },
  },
  {
    name: 'v2',
    title: 'version 2 of AutoDoors',
    signs: { [file]: hasKey('DefaultDelay', 'MaximumDelay', 'MinimumDelay') },
  },
];

const orders = [
  ['default_delay_seconds', 'is less than', 'min_delay_seconds'],
  ['default_delay_seconds', 'is more than', 'max_delay_seconds'],
  ['min_delay_seconds', 'is more than', 'max_delay_seconds'],
] as const;

/** Compares given values only: an omitted field keeps the server's value. */
function faultsOf(config: ConfigData): Remark[] {
  return orders.flatMap(([field, relation, other]) => {
    const [own, its] = [Number(config[field]), Number(config[other])];
    const isWrong = relation === 'is less than' ? own < its : own > its;
    return isWrong ? [{ pointer: `/${field}`, detail: `${own} ${relation} ${other}, which is ${its}` }] : [];
  });
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
  generations,
  files: [{ file, plugin: 'AutoDoors' }],
  presets: [
    preset('Quick', 'Doors close behind you. Replaces the three delays.', [1, 3, 10]),
    preset('Relaxed', 'Doors leave time to carry something. Replaces the three delays.', [5, 15, 60]),
  ],
  faultsOf,
};
