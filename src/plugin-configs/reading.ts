// Reads a configuration from the plugin's document, by the mapping in the contract's schema.
import type { Node } from 'jsonc-parser';
import {
  itemsOf,
  pointerOf,
  propertiesByKey,
  propertyOf,
  textOf,
  valueOf,
  type JsonText,
} from './json-text.ts';
import { RemarkList } from './remarks.ts';
import { formerKeysOf, isMap, isWritten, keysOf, typesOf, type Schema } from './schema.ts';
import { idTextOf, type ConfigValue } from './wanted.ts';

/** A remark about a place. */
export interface Remark {
  pointer: string;
  detail: string;
}

export interface Reading {
  value: ConfigValue;
  /** Values of the document that were not taken unchanged, by their place. */
  remarks: RemarkList<Remark>;
}

/** The origins of the values that were read. */
export interface Tracks {
  /** Nodes that were not taken: values of fields, entries and elements. */
  leftOut: Set<Node>;
  /** The element nodes of each list that was read. */
  elements: WeakMap<object, Node[]>;
}

export const noTracks = (): Tracks => ({ leftOut: new Set(), elements: new WeakMap() });

/** The defaults of a schema without a document. */
export const defaultsOf = (schema: Schema): ConfigValue =>
  new Reader(emptyDocument, true).read(schema, undefined);

const emptyDocument: JsonText = { mark: '', text: '', root: undefined };

export const stays = 'stays on the server as it is';
export const unknownHere = `is not known here and ${stays}`;

export function reading(schema: Schema, document: JsonText, tracks: Tracks): Reading {
  const reader = new Reader(document, false, tracks);
  const value = reader.read(schema, document.root);
  return { value, remarks: reader.remarks };
}

class Reader {
  readonly remarks = new RemarkList<Remark>();
  readonly #document: JsonText;
  /** Whether missing values get their defaults; otherwise they are left out, which leaves them to the plugin. */
  readonly #fills: boolean;
  readonly #tracks: Tracks;

  constructor(document: JsonText, fills: boolean, tracks = noTracks()) {
    this.#document = document;
    this.#fills = fills;
    this.#tracks = tracks;
  }

  /** The node's value if it has the schema's type; without a node, the schema's default. */
  read(schema: Schema, node: Node | undefined): ConfigValue {
    if (node !== undefined) return this.#readNode(schema, node);
    return typesOf(schema).includes('object') && schema['x-plugin-default'] === undefined && !isMap(schema)
      ? this.#object(schema, undefined)
      : (schema['x-plugin-default'] as ConfigValue);
  }

  #readNode(schema: Schema, node: Node): ConfigValue {
    const types = typesOf(schema);
    if (node.type === 'null' && types.includes('null')) return null;
    if (node.type === 'object' && types.includes('object'))
      return isMap(schema)
        ? this.#entries(schema.additionalProperties, node, noKeys)
        : this.#object(schema, node);
    if (node.type === 'array' && types.includes('array')) return this.#list(schema.items ?? {}, node);
    return this.#scalar(schema, node);
  }

  #scalar(schema: Schema, node: Node): ConfigValue {
    const types = typesOf(schema);
    if (schema.format === 'uint64') return idTextOf(node, this.#document);
    if (node.type === 'boolean' || node.type === 'string')
      return types.includes(node.type) ? (node.value as boolean | string) : undefined;
    const number = node.type === 'number' ? Number(textOf(this.#document, node)) : NaN;
    if (types.includes('number')) return Number.isFinite(number) ? number : undefined;
    return types.includes('integer') && Number.isSafeInteger(number) ? number : undefined;
  }

  #list(each: Schema, node: Node): ConfigValue {
    const items = itemsOf(node).map((item) => [this.#element(each, item), item] as const);
    const taken = items.filter(([value]) => value !== undefined);
    const list = taken.map(([value]) => value);
    this.#tracks.elements.set(
      list,
      taken.map(([, item]) => item),
    );
    return list;
  }

  #entries(each: Schema, node: Node, without: Keys): ConfigValue {
    const entries = [...propertiesByKey(node)]
      .filter(([key]) => !without.has(key))
      .map(([key, property]) => [key, this.#element(each, valueOf(property))] as const);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  }

  #element(schema: Schema, node: Node | undefined): ConfigValue {
    const value = node && this.#readNode(schema, node);
    if (value === undefined && node !== undefined) this.#leaveOut(node);
    return value;
  }

  #object(schema: Schema, node: Node | undefined): ConfigValue {
    const { properties = {} } = schema;
    if (node !== undefined && !hasRest(properties)) this.#remarkUnknown(node, keysIn(properties));
    return this.#fields(schema, node);
  }

  #fields({ properties = {}, required = [] }: Schema, node: Node | undefined): ConfigValue {
    const known = keysIn(properties);
    const entries = Object.entries(properties).map(([name, part]): [string, ConfigValue] => {
      if (part['x-rest'] === true && isMap(part) && node !== undefined)
        return [name, this.#entries(part.additionalProperties, node, known)];
      const found = foundIn(node, part);
      const canBeOmitted = !this.#fills && !required.includes(name);
      if (found === undefined) return [name, canBeOmitted ? undefined : this.read(part, undefined)];
      // A virtual group has no node of its own, and is read if any of its fields is present.
      if (found === node && canBeOmitted && !hasAnyOf(part, node)) return [name, undefined];
      const value = found === node ? this.#fields(part, found) : this.#readNode(part, found);
      if (value === undefined) this.#leaveOut(found);
      return [name, value];
    });
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  }

  #remarkUnknown(node: Node, known: Keys): void {
    for (const [key, property] of propertiesByKey(node)) {
      const inner = known.get(key);
      const value = valueOf(property);
      if (value === undefined || inner === 'all') continue;
      if (inner === undefined) this.#remark(value, unknownHere);
      else if (value.type === 'object') this.#remarkUnknown(value, inner);
      else this.#leaveOut(value);
    }
  }

  #leaveOut(node: Node): void {
    this.#tracks.leftOut.add(node);
    this.#remark(node, `is ${wordFor(node)} and ${stays}`);
  }

  #remark(node: Node, detail: string): void {
    this.remarks.add({ pointer: pointerOf(node), detail });
  }
}

const hasRest = (properties: Readonly<Record<string, Schema>>) =>
  Object.values(properties).some((part) => part['x-rest'] === true);

const below = (node: Node | undefined, key: string) => valueOf(propertyOf(node, key));

/** The node of an object's field; the object itself for a virtual group. */
export function foundIn(node: Node | undefined, part: Schema): Node | undefined {
  if (!isWritten(part)) return undefined;
  return [keysOf(part), formerKeysOf(part)]
    .map((keys) => keys?.reduce(below, node))
    .find((found) => found !== undefined);
}

const hasAnyOf = ({ properties = {} }: Schema, node: Node | undefined): boolean =>
  Object.values(properties).some((part) => {
    const found = foundIn(node, part);
    return found === node ? hasAnyOf(part, node) : found !== undefined;
  });

const wordFor = ({ type }: Node) => (type === 'number' ? 'a number of another kind' : `of the type ${type}`);

/** Document keys of an object's fields, with nested keys for levels that have no object here. */
type Keys = ReadonlyMap<string, Keys | 'all'>;

const noKeys: Keys = new Map();
const keysOfObjects = new WeakMap<object, Keys>();

function keysIn(properties: Readonly<Record<string, Schema>>): Keys {
  const remembered = keysOfObjects.get(properties);
  if (remembered !== undefined) return remembered;
  const keys = new Map<string, Keys | 'all'>();
  for (const part of Object.values(properties)) {
    if (!isWritten(part) || part['x-rest'] === true) continue;
    const path = keysOf(part);
    // A virtual group has its fields among these.
    if (path.length === 0) for (const [key, inner] of keysIn(part.properties ?? {})) put(keys, [key], inner);
    else for (const keysOfPart of [path, formerKeysOf(part) ?? path]) put(keys, keysOfPart, 'all');
  }
  keysOfObjects.set(properties, keys);
  return keys;
}

function put(
  keys: Map<string, Keys | 'all'>,
  [key = '', ...rest]: readonly string[],
  inner: Keys | 'all',
): void {
  const present = keys.get(key);
  if (present === 'all') return;
  if (rest.length === 0 && inner === 'all') {
    keys.set(key, 'all');
    return;
  }
  const below = new Map(present);
  if (rest.length > 0) put(below, rest, inner);
  else if (inner !== 'all') for (const [name, each] of inner) put(below, [name], each);
  keys.set(key, below);
}
