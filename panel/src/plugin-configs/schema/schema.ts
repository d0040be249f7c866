// The schema of a configuration, as the contract declares it, with its references resolved.
import { schemas } from 'virtual:plugin-kinds';
import type { KindName } from '../kinds.ts';
import type { Json } from './data.ts';

export interface Schema {
  type?: string | readonly string[];
  description?: string;
  /** The plugin's own default. */
  default?: Json;
  /** The value that the platform gives a new element if the field is omitted. */
  initial?: Json;
  /** The plugin's name for it. */
  key?: string;
  /** Kept by the platform only: no file of the plugin has it. */
  kept?: boolean;
  /** Versions or editions of the plugin that have it; all of them unless given. */
  generations?: readonly string[];
  enum?: readonly string[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
  pattern?: string;
  /** The pattern in words. */
  form?: string;
  required?: readonly string[];
  properties?: Readonly<Record<string, Schema>>;
  items?: Schema;
  additionalProperties?: Schema;
  propertyNames?: Schema;
}

export type ObjectSchema = Schema & { properties: Readonly<Record<string, Schema>> };

interface RawSchema extends Omit<Schema, 'properties' | 'items' | 'additionalProperties'> {
  ref?: string;
  properties?: Readonly<Record<string, RawSchema>>;
  items?: RawSchema;
  additionalProperties?: RawSchema;
}

export interface SchemaFile {
  root: string;
  schemas: Readonly<Record<string, RawSchema>>;
}

const loaded = new Map<KindName, Promise<ObjectSchema>>();

export function loadSchema(kind: KindName): Promise<ObjectSchema> {
  const known = loaded.get(kind) ?? read(kind);
  loaded.set(kind, known);
  return known;
}

async function read(kind: KindName): Promise<ObjectSchema> {
  const load = schemas[kind];
  if (load === undefined) throw new Error(`the contract has no kind ${kind}`);
  return resolved((await load()).default as SchemaFile);
}

function resolved({ root, schemas: named }: SchemaFile): ObjectSchema {
  // Each target is resolved once, so that schemas that are used often are shared.
  const targets = new Map<string, Schema>();
  const target = (name: string): Schema => {
    const raw = named[name];
    if (raw === undefined) throw new Error(`the contract has no schema ${name}`);
    const known = targets.get(name) ?? resolve(raw);
    targets.set(name, known);
    return known;
  };
  const resolve = ({ ref, properties, items, additionalProperties, ...own }: RawSchema): Schema => {
    const base = ref === undefined ? {} : target(ref);
    return {
      ...base,
      ...own,
      ...(properties !== undefined && { properties: refined(base.properties ?? {}, properties, resolve) }),
      ...(items !== undefined && { items: resolve(items) }),
      ...(additionalProperties !== undefined && { additionalProperties: resolve(additionalProperties) }),
    };
  };
  const schema = target(root);
  return { ...schema, properties: schema.properties ?? {} };
}

/** The properties of the target, with the keywords that stand beside the reference. */
function refined(
  known: Readonly<Record<string, Schema>>,
  own: Readonly<Record<string, RawSchema>>,
  resolve: (raw: RawSchema) => Schema,
): Record<string, Schema> {
  const entries = Object.entries(own).map(
    ([name, raw]) => [name, { ...known[name], ...resolve(raw) }] as const,
  );
  return { ...known, ...Object.fromEntries(entries) };
}

export const typesOf = ({ type }: Schema): readonly string[] =>
  type === undefined ? [] : typeof type === 'string' ? [type] : type;

export const isNullable = (schema: Schema): boolean => typesOf(schema).includes('null');

export type Form = 'object' | 'map' | 'list' | 'switch' | 'number' | 'choice' | 'text';

/** How a value is edited. */
export function formOf(schema: Schema): Form {
  const types = typesOf(schema);
  if (types.includes('object')) return schema.additionalProperties === undefined ? 'object' : 'map';
  if (types.includes('array')) return 'list';
  if (types.includes('boolean')) return 'switch';
  if (types.includes('number') || types.includes('integer')) return 'number';
  return schema.enum === undefined ? 'text' : 'choice';
}

export const isScalar = (schema: Schema): boolean => !['object', 'map', 'list'].includes(formOf(schema));

export const isInteger = (schema: Schema): boolean => typesOf(schema).includes('integer');

/** Whether the version or edition has it. */
export const isOf = ({ generations }: Schema, generation: string | null): boolean =>
  generation === null || generations === undefined || generations.includes(generation);

/** The smallest valid value, for a new entry. */
export function initialOf(schema: Schema): Json {
  const { default: given } = schema;
  if (given !== undefined) return given;
  switch (formOf(schema)) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, initialOf(schema.properties?.[name] ?? {})]),
      );
    case 'map':
      return {};
    case 'list':
      return [];
    case 'switch':
      return false;
    case 'number':
      return Math.max(0, schema.minimum ?? 0);
    case 'choice':
      return schema.enum?.[0] ?? '';
    case 'text':
      return '';
  }
}
