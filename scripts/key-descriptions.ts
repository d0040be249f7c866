// Describes the fields of plugin configurations whose names differ from the plugin's keys.

import { isShort } from './plugin-defaults.ts';

/**
 * Copies a schema, and gives each part with an `x-key` and no description of its own one that names the key, unless
 * `name`, the part's own name, is the key in snake_case.
 */
export function keyDescription<T>(value: T, name?: string): T {
  if (Array.isArray(value)) return (value as unknown[]).map((item) => keyDescription(item)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const schema = Object.fromEntries(
    Object.entries(value).map(([keyword, inner]: [string, unknown]) => [
      keyword,
      keyword === 'properties' ? fieldDescriptions(inner as object) : keyDescription(inner),
    ]),
  );
  const key = [schema['x-key']].flat().at(-1);
  const isDescribed = schema['description'] !== undefined || schema['$ref'] !== undefined;
  if (typeof key !== 'string' || isDescribed || inSnakeCase(key) === name) return schema as T;
  // A stated default makes clear whose setting it is.
  const isStated = schema['x-plugin-default'] !== undefined && isShort(schema['x-plugin-default']);
  return { ...schema, description: isStated ? `\`${key}\`.` : `Setting \`${key}\`.` } as T;
}

const fieldDescriptions = (properties: object) =>
  Object.fromEntries(
    Object.entries(properties).map(([name, field]: [string, unknown]) => [name, keyDescription(field, name)]),
  );

const inSnakeCase = (key: string) =>
  key
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
