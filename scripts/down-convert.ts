// Turns a bundled OpenAPI 3.1 document into OpenAPI 3.0.3 for generators that know nothing newer.
import { Converter } from '@apiture/openapi-down-convert';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The 3.0 form of a bundled 3.1 document. What 3.0 can't say is left out, never written wrongly. */
export function downConvert(bundle: object): Record<string, unknown> {
  const converted = new Converter(structuredClone(bundle), { deleteExampleWithId: false }).convert() as {
    [key: string]: Json;
  };
  const document = rewritten(converted, []) as { [key: string]: Json };
  document['openapi'] = '3.0.3';
  delete document['jsonSchemaDialect'];
  delete document['webhooks'];
  return document;
}

function rewritten(value: Json, path: string[]): Json {
  if (Array.isArray(value)) return value.map((item, index) => rewritten(item, [...path, String(index)]));
  if (value === null || typeof value !== 'object') return value;
  if (isLiteral(path)) return value;
  const entries = Object.entries(value).map(([key, item]): [string, Json] => [
    key,
    rewritten(item, [...path, key]),
  ]);
  const node: { [key: string]: Json } = Object.fromEntries(entries);
  if (path.length === 1 && path[0] === 'info') delete node['summary'];
  if (path.join('/') === 'info/license') delete node['identifier'];
  if (path.at(-2) === 'security') return Object.fromEntries(Object.keys(node).map((scheme) => [scheme, []]));
  return isMapOfNames(path) ? node : schemaFor30(node);
}

/** Whether the keys at this place are names chosen by the contract rather than words of OpenAPI. */
function isMapOfNames(path: string[]): boolean {
  return path.at(-1) === 'properties' && path.at(-2) !== 'properties';
}

function isLiteral(path: string[]): boolean {
  const key = path.at(-1);
  return (key === 'example' || key === 'default' || key === 'enum') && path.at(-2) !== 'properties';
}

function schemaFor30(node: { [key: string]: Json }): Json {
  delete node['propertyNames'];
  delete node['$comment'];
  if ('const' in node) {
    node['enum'] = [node['const']];
    delete node['const'];
  }
  for (const [exclusive, limit] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof node[exclusive] === 'number') {
      node[limit] = node[exclusive];
      node[exclusive] = true;
    }
  }
  if (Array.isArray(node['type'])) {
    const types = node['type'].filter((type) => type !== 'null');
    if (types.length < node['type'].length) node['nullable'] = true;
    if (types.length === 1) node['type'] = types[0] as Json;
    else delete node['type'];
  }
  return withoutNullAlternative(besideReference(node));
}

/** Nothing may stand beside a reference there. */
function besideReference(node: { [key: string]: Json }): { [key: string]: Json } {
  const { $ref, ...rest } = node;
  return $ref === undefined || Object.keys(rest).length === 0 ? node : { allOf: [{ $ref }], ...rest };
}

/** A union with null; its other members are objects, as the contracts' unions always are. */
function withoutNullAlternative(node: { [key: string]: Json }): Json {
  const alternatives = node['oneOf'];
  if (!Array.isArray(alternatives)) return node;
  const kept = alternatives.filter((item) => !isNullSchema(item));
  if (kept.length === alternatives.length) return node;
  const { oneOf: _, ...rest } = node;
  return kept.length === 1
    ? { ...rest, type: 'object', nullable: true, allOf: kept }
    : { ...rest, type: 'object', nullable: true, oneOf: kept };
}

function isNullSchema(item: Json): boolean {
  if (item === null || typeof item !== 'object' || Array.isArray(item)) return false;
  const types = Array.isArray(item['type']) ? item['type'] : [item['type']];
  return (
    (types.length === 1 && types[0] === 'null') ||
    (Object.keys(item).length === 1 && item['nullable'] === true)
  );
}
