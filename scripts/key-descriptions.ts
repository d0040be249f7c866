// Describes the fields of plugin configurations that have nothing to say but the plugin's key.

import { isShort } from './plugin-defaults.ts';

/** Copies a schema, and gives each part with an `x-key` and no description of its own one that names the key. */
export function keyDescription<T>(value: T): T {
  if (Array.isArray(value)) return (value as unknown[]).map((item) => keyDescription(item)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const schema = Object.fromEntries(
    Object.entries(value).map(([name, inner]: [string, unknown]) => [name, keyDescription(inner)]),
  );
  const key = [schema['x-key']].flat().at(-1);
  const isDescribed = schema['description'] !== undefined || schema['$ref'] !== undefined;
  if (typeof key !== 'string' || isDescribed) return schema as T;
  // A stated default makes clear whose setting it is.
  const isStated = schema['x-plugin-default'] !== undefined && isShort(schema['x-plugin-default']);
  return { ...schema, description: isStated ? `“${key}”.` : `Setting “${key}”.` } as T;
}
