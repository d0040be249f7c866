// Doors that close by themselves: the configuration of the plugin AutoDoors.
import type { ConfigData, KindDefinition } from '../kind.ts';
import type { Remark } from '../reading.ts';

const orders = [
  ['default_delay_seconds', 'is less than', 'min_delay_seconds'],
  ['default_delay_seconds', 'is more than', 'max_delay_seconds'],
  ['min_delay_seconds', 'is more than', 'max_delay_seconds'],
] as const;

/** Only of what is given: what is left out is whatever the server has. */
function faultsOf(config: ConfigData): Remark[] {
  return orders.flatMap(([field, relation, other]) => {
    const [own, its] = [Number(config[field]), Number(config[other])];
    const isWrong = relation === 'is less than' ? own < its : own > its;
    return isWrong ? [{ pointer: `/${field}`, detail: `${relation} ${other}` }] : [];
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
  files: [{ file: 'config/AutoDoors.json', plugin: 'AutoDoors' }],
  presets: [
    preset('Quick', 'Doors close behind you. Replaces the three delays.', [1, 3, 10]),
    preset('Relaxed', 'Doors leave time to carry something. Replaces the three delays.', [5, 15, 60]),
  ],
  faultsOf,
};
