// What kits need code for: the plugin has a list of items for each container, and refuses what the schema cannot express.
import type { Node } from 'jsonc-parser';
import type { Schemas } from '../../platform-contract/types.ts';
import type { CodeOf } from '../declared.ts';
import { escaped, hasKey, propertyOf, valueOf } from '../json-text.ts';
import type { ConfigData } from '../kind.ts';
import type { Remark } from '../reading.ts';
import type { Schema } from '../schema.ts';
import type { ConfigValue } from '../wanted.ts';
import { containers, lists, type Container } from './lists.ts';
import { warningsOf } from './warnings.ts';

const at = (node: Node | undefined, key: string): Node | undefined => valueOf(propertyOf(node, key));

const hasEntries = (node: Node | undefined) => (node?.children ?? []).length > 0;

/** Both versions store their number in their configuration. */
const isOfMajor = (root: Node, fits: (major: number) => boolean): boolean => {
  const major: unknown = at(at(root, 'Version'), 'Major')?.value;
  return typeof major === 'number' && fits(major);
};

/** Another program may have left an empty list beside kits of version 3. */
const holdsKitsOfFour = (root: Node) =>
  hasKey('_kits')(root) && (hasEntries(at(root, '_kits')) || !hasEntries(at(root, 'Kits')));

/**
 * Distinguishes version 4 from version 3, as far as keys alone do not.
 * Version 3 writes its configuration at each start, so it decides before kits that another program wrote.
 */
const signs: CodeOf<'kits'>['signs'] = {
  v4: {
    'config/Kits.json': (root) => isOfMajor(root, (major) => major >= 4),
    'data/Kits/kits_data.json': holdsKitsOfFour,
  },
  v3: { 'config/Kits.json': (root) => isOfMajor(root, (major) => major < 4) },
};

type Config = Schemas['KitsConfigData'];
type Kit = Schemas['Kit'];

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

function beforeWriting({ kits, ...config }: Config): ConfigData {
  return kits === undefined ? config : { ...config, kits: mapped(kits, kitInFile) };
}

const kitInFile = ({ items, ...kit }: Kit, name: string): ConfigData => ({
  name,
  ...kit,
  ...Object.fromEntries(
    containers.map((container) => [
      lists[container].field,
      items.filter((item) => item.container === container).map(({ container: _container, ...item }) => item),
    ]),
  ),
});

/** Fields of the layout in the file. What was read may lack any of them. */
interface ReadKit extends ConfigData {
  readonly name?: string;
}

function afterReading({ kits, ...config }: ConfigData): ConfigData {
  return kits === undefined
    ? config
    : { ...config, kits: mapped(kits as Readonly<Record<string, ReadKit>>, kitAsRead) };
}

function kitAsRead({ name: _name, ...read }: ReadKit): ConfigData {
  const items = containers.flatMap((container) =>
    itemsIn(read, container).map((item) => ({ ...item, container })),
  );
  const fields = new Set<string>(containers.map((container) => lists[container].field));
  const kit = Object.fromEntries(Object.entries(read).filter(([field]) => !fields.has(field)));
  return { ...kit, items };
}

const itemsIn = (read: ConfigData, container: Container) =>
  (read[lists[container].field] ?? []) as readonly ConfigData[];

const mapped = <From>(
  kits: Readonly<Record<string, From>>,
  change: (kit: From, name: string) => ConfigValue,
) => Object.fromEntries(Object.entries(kits).map(([name, kit]) => [name, change(kit, name)]));

/** Maps an item of a kit to its index in its container's list. */
function placeBefore(steps: readonly string[], { kits = {} }: ConfigData): readonly string[] {
  const [field, name = '', list, index, ...rest] = steps;
  if (field !== 'kits' || list !== 'items' || index === undefined) return steps;
  const read = (kits as Readonly<Record<string, ConfigData>>)[name] ?? {};
  let left = Number(index);
  for (const container of containers) {
    const { field: own } = lists[container];
    const { length } = itemsIn(read, container);
    if (left < length) return [field, name, own, String(left), ...rest];
    left -= length;
  }
  return [field, name];
}

/** The plugin compares kit names case-insensitively. */
function faultsOf({ kits = {} }: Config): Remark[] {
  const seen = new Set<string>();
  return Object.entries(kits).flatMap(([name, kit]) => {
    const pointer = `/kits/${escaped(name)}`;
    const isTaken = seen.has(name.toLowerCase());
    seen.add(name.toLowerCase());
    const { required_permission: permission = '' } = kit;
    return [
      ...(isTaken ? [{ pointer, detail: 'is the name of another kit, in upper or lower case' }] : []),
      ...(permission === '' || permission.startsWith('kits.')
        ? []
        : [{ pointer: `${pointer}/required_permission`, detail: 'does not begin with kits.' }]),
      ...containers.flatMap((container) => tooMany(kit, container, pointer)),
    ];
  });
}

/** Each item beyond the slots of its container. */
function tooMany({ items }: Kit, container: Container, pointer: string): Remark[] {
  const { slots } = lists[container];
  return [...items.entries()]
    .filter(([, item]) => item.container === container)
    .slice(slots)
    .map(([index]) => ({
      pointer: `${pointer}/items/${index}`,
      detail: `is beyond the ${slots} slots of ${container}`,
    }));
}

export const kits: CodeOf<'kits'> = {
  signs,
  faultsOf,
  warningsOf,
  layout,
  beforeWriting,
  afterReading,
  placeBefore,
};
