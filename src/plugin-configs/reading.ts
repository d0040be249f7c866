// Reads a configuration out of the plugin's document, as the contract's schema maps one to the other.
import type { Node } from 'jsonc-parser';
import { itemsOf, keyOf, propertiesOf, propertyOf, textOf, valueOf, type JsonText } from './json-text.ts';
import { isMap, isWritten, keysOf, typesOf, type Schema } from './schema.ts';
import { idTextOf, type ConfigValue } from './wanted.ts';

/** Something in a file that was not taken as it stands. */
export interface Remark {
  /** Where in the configuration. */
  pointer: string;
  detail: string;
}

export interface Reading {
  value: ConfigValue;
  remarks: Remark[];
}

/** What a schema says without any document. */
export const defaultsOf = (schema: Schema): ConfigValue =>
  new Reader(emptyDocument, true).read(schema, undefined, '');

const emptyDocument: JsonText = { mark: '', text: '', root: undefined };

export function reading(schema: Schema, document: JsonText): Reading {
  const reader = new Reader(document, false);
  const value = reader.read(schema, document.root, '');
  return { value, remarks: reader.remarks };
}

const mostRemarks = 100;

class Reader {
  readonly remarks: Remark[] = [];
  readonly #document: JsonText;
  /** Whether what is not there has its default; otherwise it is left out, and so left to the plugin. */
  readonly #fills: boolean;

  constructor(document: JsonText, fills: boolean) {
    this.#document = document;
    this.#fills = fills;
  }

  /** What stands there if it is of the schema's type, else what the schema says without it. */
  read(schema: Schema, node: Node | undefined, pointer: string): ConfigValue {
    const isObject = typesOf(schema).includes('object');
    if (node === undefined)
      return isObject && schema.default === undefined && !isMap(schema)
        ? this.#object(schema, undefined, pointer)
        : (schema.default as ConfigValue);
    if (node.type === 'null' && typesOf(schema).includes('null')) return null;
    if (node.type === 'object' && isObject)
      return isMap(schema) ? this.#map(schema, node, pointer) : this.#object(schema, node, pointer);
    if (node.type === 'array' && typesOf(schema).includes('array'))
      return itemsOf(node).map((item, index) => this.read(schema.items ?? {}, item, `${pointer}/${index}`));
    const scalar = this.#scalar(schema, node);
    if (scalar !== undefined) return scalar;
    this.#remark(pointer, `is ${node.type} in the file, and was left out`);
    return this.read(schema, undefined, pointer);
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

  #map(schema: Schema & { additionalProperties: Schema }, node: Node, pointer: string): ConfigValue {
    return this.#entries(schema.additionalProperties, node, pointer, new Set());
  }

  #entries(each: Schema, node: Node, pointer: string, without: ReadonlySet<string>): ConfigValue {
    const entries = propertiesOf(node)
      .map((property) => [keyOf(property), valueOf(property)] as const)
      .filter(([key]) => !without.has(key));
    return Object.fromEntries(
      entries.map(([key, value]) => [key, this.read(each, value, `${pointer}/${escaped(key)}`)]),
    );
  }

  #object({ properties = {}, required = [] }: Schema, node: Node | undefined, pointer: string): ConfigValue {
    const named = new Set(Object.values(properties).flatMap((part) => keysOf(part).slice(0, 1)));
    const entries = Object.entries(properties).map(([name, part]): [string, ConfigValue] => {
      const at = `${pointer}/${name}`;
      if (part['x-rest'] === true && isMap(part) && node !== undefined)
        return [name, this.#entries(part.additionalProperties, node, at, named)];
      const found = isWritten(part) ? keysOf(part).reduce(below, node) : undefined;
      const isLeftOut = found === undefined && !this.#fills && !required.includes(name);
      return [name, isLeftOut ? undefined : this.read(part, found, at)];
    });
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  }

  #remark(pointer: string, detail: string): void {
    if (this.remarks.length < mostRemarks) this.remarks.push({ pointer, detail });
  }
}

const below = (node: Node | undefined, key: string) => valueOf(propertyOf(node, key));

/** A key as a step of a JSON pointer. */
export const escaped = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1');
