// Describes the fields of plugin configurations that have nothing to say but the plugin's key.

/** Copies a schema, and gives each part with an `x-key` and no description of its own one that names the key. */
export function keyDescription<T>(value: T): T {
  if (Array.isArray(value)) return (value as unknown[]).map((item) => keyDescription(item)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const schema = Object.fromEntries(
    Object.entries(value).map(([name, inner]: [string, unknown]) => [name, keyDescription(inner)]),
  );
  const key = [schema['x-key']].flat().at(-1);
  const isDescribed = schema['description'] !== undefined || schema['$ref'] !== undefined;
  return (
    typeof key !== 'string' || isDescribed
      ? schema
      : { ...schema, description: `The plugin's setting “${key}”.` }
  ) as T;
}
