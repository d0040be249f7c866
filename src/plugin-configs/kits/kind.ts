// Kits of items: the data and the configuration of the plugin Kits, version 4.
import { escaped } from '../json-text.ts';
import type { ConfigData, KindDefinition } from '../kind.ts';
import type { Remark } from '../reading.ts';
import type { Schema } from '../schema.ts';
import type { ConfigValue } from '../wanted.ts';
import { configFile, generations, kitsFile } from './generations.ts';
import { lists, type Container, type Kit } from './lists.ts';
import { warningsOf } from './warnings.ts';

const plugin = 'Kits';

const containers = Object.keys(lists) as Container[];
const identity = ['Shortname', 'Position', 'Skin'];

/** The schema with container lists instead of the items, and with the name that the plugin repeats in each kit. */
function layout(schema: Schema): Schema {
  const kits = schema.properties?.['kits'];
  const kit = kits?.additionalProperties;
  if (!kits || !kit) throw new Error('the schema of kits has no kits');
  const { items, ...others } = kit.properties ?? {};
  const { container: _container, ...fields } = items?.items?.properties ?? {};
  const ofItem: Schema = { ...items?.items, properties: fields };
  const listed = containers.map((container): [string, Schema] => {
    const { field, key } = lists[container];
    return [
      field,
      {
        type: ['array', 'null'],
        'x-plugin-default': [],
        'x-key': key,
        'x-identity': identity,
        items: ofItem,
      },
    ];
  });
  const name: Schema = { type: 'string', 'x-key': 'Name', 'x-only-new': true };
  const inFile: Schema = {
    ...kit,
    required: listed.map(([field]) => field),
    'x-exchange': containers.map((container) => lists[container].key),
    properties: { name, ...others, ...Object.fromEntries(listed) },
  };
  return {
    ...schema,
    properties: { ...schema.properties, kits: { ...kits, additionalProperties: inFile } },
  };
}

function withKits(config: ConfigData, change: (kit: Kit, name: string) => ConfigValue): ConfigData {
  const { kits } = config;
  if (kits === undefined) return config;
  const changed = Object.entries(kits as Record<string, Kit>).map(
    ([name, kit]) => [name, change(kit, name)] as const,
  );
  return { ...config, kits: Object.fromEntries(changed) };
}

const beforeWriting = (config: ConfigData) =>
  withKits(config, ({ items = [], ...kit }, name) => ({
    name,
    ...kit,
    ...Object.fromEntries(
      containers.map((container) => [
        lists[container].field,
        items
          .filter((item) => item['container'] === container)
          .map(({ container: _container, ...item }) => item),
      ]),
    ),
  }));

const afterReading = (config: ConfigData) =>
  withKits(config, ({ name: _name, ...read }) => {
    const items = containers.flatMap((container) =>
      ((read[lists[container].field] ?? []) as ConfigData[]).map((item) => ({ ...item, container })),
    );
    const fields = new Set<string>(containers.map((container) => lists[container].field));
    const kit = Object.fromEntries(Object.entries(read).filter(([field]) => !fields.has(field)));
    return { ...kit, items };
  });

/** Maps an item of a kit to its index in its container's list. */
function placeBefore(steps: readonly string[], { kits = {} }: ConfigData): readonly string[] {
  const [field, name = '', list, index, ...rest] = steps;
  if (field !== 'kits' || list !== 'items' || index === undefined) return steps;
  const read = (kits as Readonly<Record<string, ConfigData>>)[name] ?? {};
  let left = Number(index);
  for (const container of containers) {
    const { field: own } = lists[container];
    const { length } = (read[own] ?? []) as readonly ConfigValue[];
    if (left < length) return [field, name, own, String(left), ...rest];
    left -= length;
  }
  return [field, name];
}

/** The plugin compares kit names case-insensitively. */
function faultsOf({ kits = {} }: ConfigData): Remark[] {
  const seen = new Set<string>();
  return Object.entries(kits as Record<string, Kit>).flatMap(([name, kit]) => {
    const pointer = `/kits/${escaped(name)}`;
    const isTaken = seen.has(name.toLowerCase());
    seen.add(name.toLowerCase());
    const { required_permission: permission = '' } = kit;
    return [
      ...(isTaken ? [{ pointer, detail: 'is the name of another kit, in upper or lower case' }] : []),
      ...(typeof permission !== 'string' || permission === '' || permission.startsWith('kits.')
        ? []
        : [{ pointer: `${pointer}/required_permission`, detail: 'does not begin with kits.' }]),
      ...containers.flatMap((container) => tooMany(kit, container, pointer)),
    ];
  });
}

/** Each item beyond the slots of its container. */
function tooMany({ items = [] }: Kit, container: Container, pointer: string): Remark[] {
  const { slots } = lists[container];
  return [...items.entries()]
    .filter(([, item]) => item['container'] === container)
    .slice(slots)
    .map(([index]) => ({
      pointer: `${pointer}/items/${index}`,
      detail: `is beyond the ${slots} slots of ${container}`,
    }));
}

/** Without these values, the plugin gives items that wear out in broken condition. */
const whole = { condition: 100, max_condition: 100 };

export const kits: KindDefinition<'Kits'> = {
  name: 'kits',
  noun: 'Kits',
  title: 'kit',
  files: [
    { file: kitsFile, field: 'kits', key: '_kits', plugin },
    { file: configFile, field: 'settings', plugin },
  ],
  generations,
  presets: [
    {
      name: 'Starter',
      description: 'One kit to begin with, once a day. Replaces all kits: every other one is gone.',
      config: {
        kits: {
          starter: {
            description: 'To begin with',
            cooldown_seconds: 86_400,
            items: [
              { shortname: 'stonehatchet', amount: 1, container: 'belt', position: 0, ...whole },
              { shortname: 'stone.pickaxe', amount: 1, container: 'belt', position: 1, ...whole },
              { shortname: 'burlap.shirt', amount: 1, container: 'wear', position: 0, ...whole },
              { shortname: 'wood', amount: 500, container: 'main', position: 0 },
            ],
          },
        },
      },
    },
  ],
  faultsOf,
  warningsOf,
  layout,
  beforeWriting,
  afterReading,
  placeBefore,
};
