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

/** The schema with the properties of everything in its `allOf`. */
export function mergedSchema(document: object, schema: Schema | undefined): Schema {
  const found = resolved<Schema>(document, schema ?? {});
  const parts = found.allOf?.map((part) => mergedSchema(document, part)) ?? [];
  if (parts.length === 0) return found;
  const all = [...parts, found];
  return {
    ...found,
    type: all.find(({ type }) => type !== undefined)?.type ?? 'object',
    properties: Object.assign({}, ...all.map(({ properties }) => properties ?? {})) as Record<string, Schema>,
    required: all.flatMap(({ required }) => required ?? []),
  };
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
