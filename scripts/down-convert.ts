// Converts a bundled OpenAPI 3.1 document into OpenAPI 3.0.3 for generators without 3.1 support.
import { Converter } from '@apiture/openapi-down-convert';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The 3.0 form of a bundled 3.1 document. Features that 3.0 lacks are left out, never approximated. */
export function downConvert(bundle: object): Record<string, unknown> {
  const converted = new Converter(structuredClone(bundle), { deleteExampleWithId: false }).convert() as {
    [key: string]: Json;
  };
  const rewrittenDocument = rewritten(converted, []) as { [key: string]: Json };
  const components = (rewrittenDocument['components'] ?? {}) as { [key: string]: { [key: string]: Json } };
  const schemas = components['schemas'] ?? {};
  const document = withNullables(rewrittenDocument, schemas) as { [key: string]: Json };
  document['openapi'] = '3.0.3';
  delete document['jsonSchemaDialect'];
  delete document['webhooks'];
  nameLicense(document, bundle);
  const converted30 = document['components'] as { [key: string]: { [key: string]: Json } } | undefined;
  if (converted30 === undefined) return document;
  converted30['schemas'] = { ...converted30['schemas'], ...nullablesOf(schemas) };
  withoutUnused(document, converted30['schemas']);
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

/** OpenAPI 3.0 names a license by its URL; the identifier that 3.1 has is lost in the conversion. */
function nameLicense(document: { [key: string]: Json }, bundle: object): void {
  const { license } = (bundle as { info: { license?: { identifier?: string } } }).info;
  if (license?.identifier === undefined) return;
  const info = document['info'] as { license: { [key: string]: Json } };
  info.license['url'] = `https://spdx.org/licenses/${license.identifier}.html`;
}

/** Whether the keys at this place are names chosen by the contract rather than OpenAPI keywords. */
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
  if (typeof node['pattern'] === 'string') node['pattern'] = quotable(node['pattern']);
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

/** The same pattern without quotes and comment ends, which older generators copy into their code unescaped. */
const quotable = (pattern: string): string => pattern.replaceAll('"', '\\x22').replaceAll('*/', '*(?:/)');

/** No keywords are allowed beside a reference. */
function besideReference(node: { [key: string]: Json }): { [key: string]: Json } {
  const { $ref, ...rest } = node;
  return $ref === undefined || Object.keys(rest).length === 0 ? node : { allOf: [{ $ref }], ...rest };
}

/** A union of one schema with null, as the contracts' unions with null always are. */
function withoutNullAlternative(node: { [key: string]: Json }): Json {
  const alternatives = node['oneOf'];
  if (!Array.isArray(alternatives)) return node;
  const kept = alternatives.filter((item) => !isNullSchema(item));
  if (kept.length === alternatives.length) return node;
  const [only, ...others] = kept;
  if (others.length > 0 || !isObject(only) || typeof only['$ref'] !== 'string')
    throw new Error('3.0 can say "or null" of one named schema only');
  const { oneOf: _, ...rest } = node;
  return { ...rest, [nullableReference]: only['$ref'] };
}

/** Stands for a reference that may also be null until all schemas are converted. */
const nullableReference = 'x-nullable-reference';

/**
 * Marks nullable values for 3.0. `nullable` counts only beside `type`, and a schema referenced within `allOf`
 * still refuses null. So scalars are inlined where they are used, and objects have a second schema.
 */
function withNullables(value: Json, schemas: { [key: string]: Json }): Json {
  if (Array.isArray(value)) return value.map((item) => withNullables(item, schemas));
  if (!isObject(value)) return value;
  const { [nullableReference]: reference, ...rest } = value;
  if (typeof reference !== 'string')
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, withNullables(item, schemas)]),
    );
  const name = reference.split('/').at(-1) ?? '';
  const target = schemas[name];
  if (!isObject(target) || typeof target['type'] !== 'string') throw new Error(`${name} has no single type`);
  if (target['type'] !== 'object') {
    const values = target['enum'];
    return { ...target, ...rest, nullable: true, ...(Array.isArray(values) && { enum: [...values, null] }) };
  }
  if ('allOf' in target || 'oneOf' in target || 'anyOf' in target)
    throw new Error(`3.0 cannot express ${name} or null`);
  const nullable = `Nullable${name}`;
  if (schemas[nullable] === undefined) {
    schemas[nullable] = {}; // while its own fields are converted, which may refer to it
    schemas[nullable] = withNullables({ ...target, nullable: true }, schemas);
  }
  return besideReference({ ...rest, $ref: `#/components/schemas/${nullable}` });
}

const isObject = (value: Json | undefined): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The schemas that were added while others were converted. */
const nullablesOf = (schemas: { [key: string]: Json }) =>
  Object.fromEntries(Object.entries(schemas).filter(([name]) => name.startsWith('Nullable')));

/** Removes schemas that are referenced only by features that 3.0 lacks. */
function withoutUnused(document: { [key: string]: Json }, schemas: { [key: string]: Json }): void {
  for (;;) {
    const used = new Set(
      [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name),
    );
    const unused = Object.keys(schemas).filter((name) => !used.has(name));
    if (unused.length === 0) return;
    for (const name of unused) delete schemas[name];
  }
}

function isNullSchema(item: Json): boolean {
  if (item === null || typeof item !== 'object' || Array.isArray(item)) return false;
  const types = Array.isArray(item['type']) ? item['type'] : [item['type']];
  return (
    (types.length === 1 && types[0] === 'null') ||
    (Object.keys(item).length === 1 && item['nullable'] === true)
  );
}
