// Reads schemas of an OpenAPI document: what a schema in several parts has altogether, and what may be null.
import { resolved } from './document.ts';

export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  title?: string;
  description?: string;
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  example?: unknown;
  examples?: unknown[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  unevaluatedProperties?: boolean | Schema;
  propertyNames?: Schema;
  items?: Schema;
  allOf?: Schema[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  discriminator?: { propertyName: string; mapping?: Record<string, string> };
  /** Values that later versions may add to. */
  'x-extensible-enum'?: unknown[];
  'x-enum-descriptions'?: string[];
}

/** The types of a schema, other than `null`. */
export const typesOf = ({ type }: Schema): string[] => [type ?? []].flat().filter((each) => each !== 'null');

/**
 * The schema without its `allOf`: a value must fit every part, so that the narrowest limits hold. What only one of them
 * can state, such as the description, is the schema's own, or else that of its last part.
 */
export function mergedSchema(document: object, schema: Schema | undefined): Schema {
  const found = resolved<Schema>(document, schema ?? {});
  const parts = found.allOf?.map((part) => mergedSchema(document, part)) ?? [];
  if (parts.length === 0) return found;
  const merged: Schema = {};
  for (const part of [...parts, found]) add(merged, part);
  delete merged.allOf;
  if (merged.properties !== undefined) merged.type ??= 'object';
  return merged;
}

const lowerLimits = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems'] as const;
const upperLimits = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'] as const;

function add(merged: Schema, part: Schema): void {
  const before = { ...merged };
  Object.assign(merged, part);
  for (const limit of lowerLimits)
    if (before[limit] !== undefined) merged[limit] = Math.max(before[limit], merged[limit] ?? -Infinity);
  for (const limit of upperLimits)
    if (before[limit] !== undefined) merged[limit] = Math.min(before[limit], merged[limit] ?? Infinity);
  if (before.enum !== undefined && part.enum !== undefined)
    merged.enum = before.enum.filter((value) => part.enum?.includes(value));
  if (before.properties !== undefined) merged.properties = { ...before.properties, ...part.properties };
  if (before.required !== undefined) merged.required = [...before.required, ...(part.required ?? [])];
}

/** The other than `null` alternative of a nullable schema; otherwise the schema. */
export function withoutNull(document: object, schema: Schema | undefined): Schema {
  const merged = mergedSchema(document, schema);
  const alternatives = merged.oneOf ?? merged.anyOf;
  if (alternatives === undefined) return merged;
  const others = alternatives
    .map((each) => mergedSchema(document, each))
    .filter(({ type }) => type !== 'null');
  return others.length === 1 && others[0] !== undefined ? others[0] : merged;
}

/** Whether the schema is a page of a list: `data`, and the cursor of the next page. */
export const isPage = ({ properties }: Schema): boolean =>
  properties?.['next_cursor'] !== undefined && properties['data'] !== undefined;
