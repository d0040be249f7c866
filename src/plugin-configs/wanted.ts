// Computes the wanted content of the plugin's document from a configuration, by the contract's schema.
import type { Node } from 'jsonc-parser';
import { itemsOf, textOf, type JsonText } from './json-text.ts';
import type { Wanted, WantedObject } from './wanted-parts.ts';
import { identityOf, isMap, isWritten, keysOf, typesOf, type Schema } from './schema.ts';

export type ConfigValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly ConfigValue[]
  | { readonly [key: string]: ConfigValue };

type ConfigObject = { readonly [key: string]: ConfigValue };

export function wantedOf(schema: Schema, value: ConfigValue): Wanted {
  if (typeof value === 'object' && value !== null) {
    if (isList(value)) return wantedList(schema.items ?? {}, value, identityOf(schema));
    return isMap(schema) ? wantedMap(schema.additionalProperties, value) : wantedObject(schema, value);
  }
  return wantedScalar(schema, value ?? null);
}

const isList = (value: object): value is readonly ConfigValue[] => Array.isArray(value);

function wantedMap(each: Schema, entries: ConfigObject): WantedObject {
  return { is: 'object', isWhole: true, entries: entriesOf(each, entries) };
}

const entriesOf = (each: Schema, entries: ConfigObject) =>
  Object.entries(entries).map(([key, value]) => [key, wantedOf(each, value)] as const);

/** An object that may have keys unknown here, which stay unless the rest is given as well. */
function wantedObject(schema: Schema, value: ConfigObject): WantedObject {
  const root = new Branch();
  let isWhole = false;
  for (const [name, part] of Object.entries(schema.properties ?? {})) {
    const given = value[name];
    if (part['x-rest'] === true) {
      if (given === undefined) continue;
      isWhole = true;
      for (const [key, wanted] of entriesOf(part.additionalProperties || {}, given as ConfigObject))
        root.put([key], wanted);
    } else if (given !== undefined && isWritten(part) && part['x-only-new'] !== true)
      root.put(
        keysOf(part),
        isUsual(schema, name, given) ? { ...wantedOf(part, given), isUsual: true } : wantedOf(part, given),
        part['x-former-key'],
      );
  }
  const exchange = schema['x-exchange'];
  return { ...root.wanted(isWhole), ifNew: ofNew(schema, value), ...(exchange && { exchange }) };
}

/** A required field cannot be omitted, so its value may equal the plugin's default for a missing key. */
function isUsual({ properties = {}, required = [] }: Schema, name: string, given: ConfigValue): boolean {
  const usual = properties[name]?.['x-plugin-default'];
  if (usual === undefined || !required.includes(name)) return false;
  const isEmpty = typeof given === 'object' && given !== null && Object.keys(given).length === 0;
  return usual === given || (isEmpty && JSON.stringify(usual) === JSON.stringify(given));
}

const ofNew = ({ properties = {} }: Schema, value: ConfigObject) =>
  Object.entries(properties).flatMap(([name, part]) => {
    const first = part['x-only-new'] === true ? value[name] : part['x-new'];
    const [key] = keysOf(part);
    const isGiven = value[name] !== undefined && part['x-only-new'] !== true;
    return first === undefined || key === undefined || isGiven ? [] : [[key, wantedOf(part, first)] as const];
  });

/** Objects of the plugin's document that correspond to no object of the configuration. */
class Branch {
  readonly #children = new Map<string, Branch | Wanted>();
  readonly #formerKeys = new Map<string, string>();

  put([key, ...rest]: readonly string[], wanted: Wanted, formerKey?: string): void {
    if (key === undefined) {
      if (wanted.is === 'object')
        for (const [name, inner] of wanted.entries) this.put([name], inner, wanted.formerKeys?.get(name));
      return;
    }
    if (rest.length === 0) {
      this.#children.set(key, wanted);
      if (formerKey !== undefined) this.#formerKeys.set(key, formerKey);
      return;
    }
    const present = this.#children.get(key);
    const branch = present instanceof Branch ? present : new Branch();
    this.#children.set(key, branch);
    branch.put(rest, wanted, formerKey);
  }

  wanted(isWhole: boolean): WantedObject {
    const entries = [...this.#children].map(
      ([key, child]) => [key, child instanceof Branch ? child.wanted(false) : child] as const,
    );
    return { is: 'object', isWhole, entries, formerKeys: this.#formerKeys };
  }
}

function wantedList(each: Schema, values: readonly ConfigValue[], identity: readonly string[]): Wanted {
  const items = values.map((value) => wantedOf(each, value));
  return { is: 'array', items, ...(identity.length > 0 && { identity }) };
}

function wantedScalar(schema: Schema, value: string | number | boolean | null): Wanted {
  const json = jsonOf(schema, value);
  const isSame = (node: Node, document: JsonText) => {
    if (typeof value === 'number') return node.type === 'number' && Number(textOf(document, node)) === value;
    if (schema.format === 'uint64') return idTextOf(node, document) === value;
    return itemsOf(node).length === 0 && node.value === value;
  };
  const jsonLike = (text: string) => {
    if (typeof value === 'number') return /^-?\d+$/.test(text) ? JSON.stringify(value) : json;
    return schema.format === 'uint64' && text.startsWith('"') ? JSON.stringify(value) : json;
  };
  return { is: 'value', json, jsonLike, isSame };
}

/** The digits of an id, which is a number or, in some files, a text. */
export function idTextOf(node: Node, document: JsonText): string | undefined {
  const text = node.type === 'string' ? String(node.value) : textOf(document, node);
  return /^\d{1,20}$/.test(text) ? text : undefined;
}

function jsonOf(schema: Schema, value: string | number | boolean | null): string {
  if (schema.format === 'uint64' && typeof value === 'string') return value;
  const isFloat = typesOf(schema).includes('number');
  if (typeof value === 'number' && isFloat && Number.isInteger(value) && Math.abs(value) < 1e15)
    return value.toFixed(1);
  return JSON.stringify(value);
}
