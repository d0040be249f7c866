// Names every type that the contract's schemas describe, those written in place too.
import { nameIn } from '../openapi/document.ts';
import { mergedSchema, typesOf, type Schema } from '../openapi/schema.ts';
import { pascal } from './words.ts';

export type Type =
  | { kind: 'string' | 'integer' | 'number' | 'boolean' | 'any' | 'bytes' }
  | { kind: 'named'; name: string }
  | { kind: 'list'; of: Value }
  | { kind: 'map'; of: Value };

export interface Value {
  type: Type;
  isNullable: boolean;
}

export interface Property extends Value {
  name: string;
  isRequired: boolean;
  description: string;
}

export type Definition = { name: string; description: string } & (
  | { kind: 'object'; properties: Property[] }
  /** Later versions may add values to an open one. */
  | { kind: 'enum'; values: string[]; isOpen: boolean }
  | { kind: 'union'; discriminator: string; members: Record<string, string> }
  | { kind: 'alias'; value: Value }
);

export class Definitions {
  readonly #document: object;
  readonly #schemas: Readonly<Record<string, Schema>>;
  readonly #definitions = new Map<string, Definition>();
  readonly #inlined = new Map<string, Schema>();

  constructor(document: object) {
    this.#document = document;
    this.#schemas = (document as { components: { schemas: Record<string, Schema> } }).components.schemas;
    for (const [name, schema] of Object.entries(this.#schemas)) this.#define(name, schema);
  }

  list(): Definition[] {
    return [...this.#definitions.values()];
  }

  get(name: string): Definition | undefined {
    return this.#definitions.get(name);
  }

  /** The type of a schema; an object or enum written in place gets `name`. */
  valueOf(schema: Schema, name: string): Value {
    return this.#value(schema, name);
  }

  #define(name: string, schema: Schema): void {
    if (this.#definitions.has(name)) return;
    const description = schema.description ?? '';
    // Holds the place, for schemas that contain themselves.
    this.#definitions.set(name, { name, description, kind: 'object', properties: [] });
    this.#definitions.set(name, this.#definition(name, schema, description));
  }

  #definition(name: string, schema: Schema, description: string): Definition {
    const values = textsOf(schema);
    if (values !== undefined) return { name, description, kind: 'enum', ...values };
    if (schema.discriminator !== undefined && schema.oneOf !== undefined) {
      const { propertyName, mapping = {} } = schema.discriminator;
      const members = Object.fromEntries(
        Object.entries(mapping).map(([value, $ref]) => [value, nameIn({ $ref }) ?? '']),
      );
      return { name, description, kind: 'union', discriminator: propertyName, members };
    }
    const merged = this.#merged(schema);
    if (merged !== undefined)
      return { name, description, kind: 'object', properties: this.#properties(name, merged) };
    return {
      name,
      description,
      kind: 'alias',
      value: { ...this.#value(schema, name, true), isNullable: false },
    };
  }

  /** The object that a schema describes, if it lists properties, itself or in several parts. */
  #merged(schema: Schema): Schema | undefined {
    const merged = mergedSchema(this.#document, schema);
    return Object.keys(merged.properties ?? {}).length > 0 || schema.properties !== undefined
      ? merged
      : undefined;
  }

  #properties(owner: string, { properties = {}, required = [] }: Schema): Property[] {
    return Object.entries(properties).map(([name, schema]) => ({
      name,
      isRequired: required.includes(name),
      description: schema.description ?? '',
      ...this.#value(schema, `${owner}${pascal(name)}`),
    }));
  }

  /** The type of a schema; an object or enum written in place gets `name`. */
  #value(schema: Schema, name: string, isOwn = false): Value {
    if (schema.$ref !== undefined) {
      const target = nameIn(schema) ?? '';
      return { ...named(target), isNullable: this.#isNullable(target) };
    }
    const alternatives = schema.oneOf ?? schema.anyOf;
    if (alternatives !== undefined && schema.discriminator === undefined) {
      const others = alternatives.filter((each) => each.type !== 'null');
      const isNullable = others.length < alternatives.length;
      const [only] = others;
      if (others.length !== 1 || only === undefined) return { type: { kind: 'any' }, isNullable };
      return { ...this.#value(only, name), isNullable };
    }
    const reference =
      schema.properties === undefined ? schema.allOf?.find(({ $ref }) => $ref !== undefined) : undefined;
    if (
      reference !== undefined &&
      schema.allOf?.every(
        (part) => part === reference || (part.properties === undefined && part.$ref === undefined),
      )
    )
      return this.#value(reference, name);
    return { type: this.#type(schema, name, isOwn), isNullable: acceptsNull(schema) };
  }

  #type(schema: Schema, name: string, isOwn: boolean): Type {
    if (textsOf(schema) !== undefined && !isOwn) return this.#inline(name, schema);
    if (!isOwn && this.#merged(schema) !== undefined) return this.#inline(name, schema);
    if (schema.const !== undefined) return { kind: typeof schema.const === 'string' ? 'string' : 'any' };
    const [kind, ...others] = typesOf(schema);
    if (others.length > 0 || kind === undefined) return { kind: 'any' };
    if (kind === 'array') return { kind: 'list', of: this.#value(schema.items ?? {}, `${name}Item`) };
    if (kind === 'object') {
      const { additionalProperties: entry } = schema;
      if (typeof entry === 'object') return { kind: 'map', of: this.#value(entry, `${name}Value`) };
      return { kind: 'map', of: { type: { kind: 'any' }, isNullable: false } };
    }
    if (kind === 'string') return { kind: schema.format === 'binary' ? 'bytes' : 'string' };
    if (kind === 'integer' || kind === 'number' || kind === 'boolean') return { kind };
    return { kind: 'any' };
  }

  #inline(wanted: string, schema: Schema): Type {
    let name = wanted;
    for (let count = 2; this.#schemas[name] !== undefined || this.#isTaken(name, schema); count++)
      name = `${wanted}${count}`;
    this.#inlined.set(name, schema);
    this.#define(name, schema);
    return { kind: 'named', name };
  }

  /** Whether a simple type, such as a description, may be null wherever it is used. */
  #isNullable(name: string): boolean {
    return acceptsNull(this.#schemas[name] ?? {});
  }

  #isTaken(name: string, schema: Schema): boolean {
    const former = this.#inlined.get(name);
    return former !== undefined && JSON.stringify(former) !== JSON.stringify(schema);
  }
}

const named = (name: string): Value => ({ type: { kind: 'named', name }, isNullable: false });

const acceptsNull = ({ type, enum: values }: Schema): boolean =>
  [type ?? []].flat().includes('null') || values?.includes(null) === true;

/** The listed values of a text. */
function textsOf({
  enum: closed,
  'x-extensible-enum': open,
}: Schema): { values: string[]; isOpen: boolean } | undefined {
  const values = (closed ?? open)?.filter((value) => value !== null);
  return values !== undefined && values.length > 0 && values.every((value) => typeof value === 'string')
    ? { values, isOpen: closed === undefined }
    : undefined;
}
