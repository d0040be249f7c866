// The parts of a kind's contract schema that the codec reads: types, defaults and keys in the plugin's file.

/** A schema as in the bundled contract. Only what the codec reads is typed. */
export interface ConfigSchema {
  $ref?: string;
  allOf?: ConfigSchema[];
  type?: string | string[];
  format?: string;
  /** The plugin's own default. */
  'x-plugin-default'?: unknown;
  enum?: unknown[];
  properties?: Record<string, ConfigSchema>;
  required?: string[];
  additionalProperties?: ConfigSchema | boolean;
  items?: ConfigSchema;
  /**
   * The plugin's key, as a path from the plugin's object for the parent; without it, the plugin has no such key. Empty
   * for a virtual group, whose fields the plugin has among those of its parent.
   */
  'x-key'?: string | string[];
  /** Confirms that the plugin has no such key. */
  'x-kept'?: boolean;
  /** Its entries are among the keys of its parent, beside the declared ones. */
  'x-rest'?: boolean;
  /** The keys that identify elements of a list: the first must match, the others decide among the matches. */
  'x-identity'?: string | string[];
  /** The value that a new element of a list gets if this field is omitted. */
  'x-new'?: string | number | boolean;
  /** Keys of its lists between which elements move. */
  'x-exchange'?: string[];
  /** Only new objects get it; existing ones stay unchanged. */
  'x-only-new'?: boolean;
  /** The corresponding key in older files. */
  'x-former-key'?: string;
  /** The plugin generations that support it; all of them unless given. */
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

/** Resolves the references of a schema; keywords beside a reference override its target. */
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

/** The properties of the target, with the keywords given beside the reference. */
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

/** The path in older files: the sibling of the current key. */
export const formerKeysOf = ({ 'x-key': key, 'x-former-key': former }: Schema) =>
  former === undefined ? undefined : [...listOf(key).slice(0, -1), former];

export const identityOf = ({ 'x-identity': identity }: Schema) => listOf(identity);

export const isWritten = (schema: Schema) => schema['x-key'] !== undefined || schema['x-rest'] === true;

/** Fields that have no place in the plugin's document without being marked as such. */
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

/** Whether its entries have free names. */
export const isMap = (schema: Schema): schema is Schema & { additionalProperties: Schema } =>
  typeof schema.additionalProperties === 'object';

/** The schema of a field. Names come from requests and files: `constructor` matches only if the schema declares it. */
export const fieldOf = ({ properties }: Schema, name: string): Schema | undefined =>
  properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;

/** Whether a value sets nothing. An empty map or list does set something: that there are no entries. */
export function isUnset(schema: Schema, value: unknown): boolean {
  if (value === undefined) return true;
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isMap(schema)) return false;
  return Object.entries(value).every(([name, inner]) => isUnset(fieldOf(schema, name) ?? {}, inner));
}

/** Whether the value has no text, number or boolean anywhere, so that it would only empty maps and lists. */
export const holdsNothing = (value: unknown): boolean =>
  value === undefined ||
  (typeof value === 'object' && value !== null && Object.values(value).every(holdsNothing));
