// What the codec reads of a kind's schema in the contract: types, defaults and the keys that the plugin's file has for them.

/** A schema as the bundled contract has it. Only what the codec reads of it is typed. */
export interface ConfigSchema {
  $ref?: string;
  allOf?: ConfigSchema[];
  type?: string | string[];
  format?: string;
  /** What the plugin has where nobody has set it. */
  'x-plugin-default'?: unknown;
  enum?: unknown[];
  properties?: Record<string, ConfigSchema>;
  required?: string[];
  additionalProperties?: ConfigSchema | boolean;
  items?: ConfigSchema;
  /**
   * Where the plugin has it, from the object that the plugin has for its parent; without it the plugin has no such key.
   * None at all for a group of ours, whose fields the plugin has beside those of its parent.
   */
  'x-key'?: string | string[];
  /** The plugin has no such key, and that is meant. */
  'x-kept'?: boolean;
  /** Its entries stand among the keys of its parent, beside those that the parent names. */
  'x-rest'?: boolean;
  /** The keys by which elements of a list are told apart: by the first, and by the others among those. */
  'x-identity'?: string | string[];
  /** What a new element of a list gets where this is left out. */
  'x-new'?: string | number | boolean;
  /** Keys of its lists among which elements move. */
  'x-exchange'?: string[];
  /** Only what is new gets it; whatever else there is stays as it is. */
  'x-only-new'?: boolean;
  /** The key that older files have in its place. */
  'x-former-key'?: string;
  /** The generations of the plugin that have it; all of them unless given. */
  'x-generations'?: string[];
}

/** A schema without references. */
export type Schema = Omit<
  ConfigSchema,
  '$ref' | 'allOf' | 'properties' | 'items' | 'additionalProperties'
> & {
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | false;
};

/** Follows the references of a schema; what stands beside one goes before what it refers to. */
export function resolved(
  schema: ConfigSchema,
  schemas: Readonly<Record<string, ConfigSchema>>,
  deepest = 30,
): Schema {
  if (deepest === 0) throw new Error('a schema of a plugin configuration refers to itself');
  const { $ref, allOf = [], ...own } = schema;
  const name = $ref?.replace('#/components/schemas/', '');
  const referred = name === undefined ? undefined : schemas[name];
  if (name !== undefined && referred === undefined) throw new Error(`the contract has no schema ${name}`);
  const below = (part: ConfigSchema) => resolved(part, schemas, deepest - 1);
  const parts = [...(referred === undefined ? [] : [referred]), ...allOf].map(below);
  const { properties, items, additionalProperties, ...rest } = own;
  return Object.assign({}, ...parts, rest, {
    ...(properties && { properties: refined(Object.assign({}, ...parts) as Schema, properties, below) }),
    ...(items && { items: below(items) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: below(additionalProperties) }),
  }) as Schema;
}

/** Properties of what is referred to, with what is said of some of them beside the reference. */
function refined(
  { properties: known = {} }: Schema,
  properties: Record<string, ConfigSchema>,
  resolve: (part: ConfigSchema) => Schema,
): Record<string, Schema> {
  const own = Object.entries(properties).map(([key, part]) => [key, { ...known[key], ...resolve(part) }]);
  return { ...known, ...(Object.fromEntries(own) as Record<string, Schema>) };
}

const listOf = (names: string | string[] | undefined): readonly string[] =>
  names === undefined ? [] : typeof names === 'string' ? [names] : names;

export const keysOf = ({ 'x-key': key }: Schema) => listOf(key);

/** Where older files have it: beside where it is now. */
export const formerKeysOf = ({ 'x-key': key, 'x-former-key': former }: Schema) =>
  former === undefined ? undefined : [...listOf(key).slice(0, -1), former];

export const identityOf = ({ 'x-identity': identity }: Schema) => listOf(identity);

export const isWritten = (schema: Schema) => schema['x-key'] !== undefined || schema['x-rest'] === true;

/** Fields that have no place in the plugin's document, and of which nobody said that this is meant. */
export function misplacedIn(schema: Schema, pointer: string, isFile = (_field: string) => false): string[] {
  const inner = [schema.items, schema.additionalProperties].flatMap((part) =>
    part ? misplacedIn(part, `${pointer}/-`) : [],
  );
  const parts = Object.entries(schema.properties ?? {}).flatMap(([name, part]) => {
    const at = `${pointer}/${name}`;
    const isPlaced = isWritten(part) || isFile(name);
    if (isPlaced === (part['x-kept'] === true)) return [at];
    return isPlaced ? misplacedIn(part, at) : [];
  });
  return [...inner, ...parts];
}

export const typesOf = ({ type }: Schema): readonly string[] =>
  type === undefined ? [] : typeof type === 'string' ? [type] : type;

/** Whether its entries are named by whoever writes them. */
export const isMap = (schema: Schema): schema is Schema & { additionalProperties: Schema } =>
  typeof schema.additionalProperties === 'object';

/** The schema of a field. Names come from requests and files: `constructor` is none unless the schema says so. */
export const fieldOf = ({ properties }: Schema, name: string): Schema | undefined =>
  properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;

/** Whether a value sets nothing. A map or list without entries does set something: that there are none. */
export function isUnset(schema: Schema, value: unknown): boolean {
  if (value === undefined) return true;
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isMap(schema)) return false;
  return Object.entries(value).every(([name, inner]) => isUnset(fieldOf(schema, name) ?? {}, inner));
}
