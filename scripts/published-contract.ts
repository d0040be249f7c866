// Derives the published form of a contract: replies are open, requests closed, and internal extensions left out.
import { methods } from '../shared/openapi/document.ts';
import { literalKeys, mapKeys, publicExtensions } from '../shared/openapi/keywords.ts';

type Json = null | boolean | number | string | Json[] | JsonObject;
interface JsonObject {
  [key: string]: Json | undefined;
}

interface Bundle extends JsonObject {
  paths: Record<string, JsonObject>;
  components: JsonObject & { schemas: Record<string, JsonObject> };
}

/**
 * Marks a document that clients read, edit and send back, such as the settings of a plugin. It is published in one form,
 * the open one; the server still refuses unknown fields in it.
 */
const sentBack = 'x-sent-back';

/** Marks a schema whose example stands in no body. */
const keepsExample = 'x-keeps-example';

/**
 * A copy for publication. Schemas of replies accept additional fields, and their enums further values, so that later
 * versions can add both. A schema that requests use too gets a closed twin for them, named `…Input`.
 */
export function publishedContract(contract: object): Record<string, unknown> {
  const bundle = structuredClone(contract) as Bundle;
  const { schemas } = bundle.components;
  const { requests, replies } = sidesOf(bundle);
  const requested = reached(schemas, requests, (name) => schemas[name]?.[sentBack] === true);
  const replied = reached(schemas, [...replies, ...sentBackAmong(schemas)]);
  const opened = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, replied.has(name) ? open(schema) : schema]),
  );
  const twins = twinsOf(schemas, opened, requested, replied);
  const closedOf = <T extends Json | undefined>(node: T): T => withTwins(node, twins);
  for (const request of requests) Object.assign(request, closedOf(request));
  for (const reply of replies) Object.assign(reply, open(reply));
  for (const [name, schema] of Object.entries(schemas)) {
    if (requested.has(name) && !replied.has(name)) opened[name] = closedOf(schema);
    if (twins.has(name)) opened[twinOf(name)] = withoutValueTexts(closedOf(schema));
  }
  bundle.components.schemas = Object.fromEntries(
    Object.entries(opened).map(([name, schema]) => [
      name,
      isComposite(schema) && schema[keepsExample] !== true ? withoutExample(schema) : schema,
    ]),
  );
  const published = withoutExtensions(bundle, false) as Bundle;
  return withSharedSuccesses(withSharedExamples(withEntityExamples(published)));
}

const twinOf = (name: string) => `${name}Input`;

/** The open form of the schema describes the values already. */
function withoutValueTexts({ 'x-enum-descriptions': _, ...schema }: JsonObject): JsonObject {
  return schema;
}

/** The parts of the document that callers send, and those that they get. Webhooks send what callers get. */
function sidesOf({ paths, webhooks, components }: Bundle): { requests: JsonObject[]; replies: JsonObject[] } {
  const requests: JsonObject[] = [];
  const replies: JsonObject[] = [];
  const add = (to: JsonObject[], node: Json | undefined) => {
    if (isObject(node)) to.push(node);
  };
  for (const item of Object.values(paths)) {
    for (const parameter of listIn(item['parameters'])) add(requests, parameter);
    for (const method of methods) {
      const operation = item[method];
      if (!isObject(operation)) continue;
      for (const parameter of listIn(operation['parameters'])) add(requests, parameter);
      add(requests, operation['requestBody']);
      add(replies, operation['responses']);
    }
  }
  add(requests, components['parameters']);
  add(requests, components['requestBodies']);
  add(replies, components['responses']);
  add(replies, components['headers']);
  add(replies, webhooks);
  return { requests, replies };
}

const listIn = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);

const sentBackAmong = (schemas: Record<string, JsonObject>): JsonObject[] =>
  Object.values(schemas).filter((schema) => schema[sentBack] === true);

/** Names of the schemas that the nodes reference, directly or not; nothing beyond those where `stops`. */
function reached(
  schemas: Record<string, JsonObject>,
  nodes: readonly JsonObject[],
  stops: (name: string) => boolean = () => false,
): Set<string> {
  const names = new Set<string>();
  const waiting: Json[] = [...nodes];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    for (const name of referencesIn(node)) {
      const schema = schemas[name];
      if (names.has(name) || schema === undefined || stops(name)) continue;
      names.add(name);
      waiting.push(schema);
    }
  }
  return names;
}

function* referencesIn(node: Json | undefined, isMap = false): Generator<string> {
  if (Array.isArray(node)) for (const item of node) yield* referencesIn(item);
  if (!isObject(node)) return;
  const name = schemaIn(node['$ref']);
  if (name !== undefined) yield name;
  for (const [key, value] of Object.entries(node))
    if (isMap || !literalKeys.has(key)) yield* referencesIn(value, !isMap && mapKeys.has(key));
}

const prefix = '#/components/schemas/';

const schemaIn = (reference: Json | undefined): string | undefined =>
  typeof reference === 'string' && reference.startsWith(prefix) ? reference.slice(prefix.length) : undefined;

/** Schemas of both sides that differ when opened, and those that reference such a schema. */
function twinsOf(
  schemas: Record<string, JsonObject>,
  opened: Record<string, JsonObject>,
  requested: ReadonlySet<string>,
  replied: ReadonlySet<string>,
): Set<string> {
  const shared = [...requested].filter((name) => replied.has(name));
  const differs = (name: string) => JSON.stringify(schemas[name]) !== JSON.stringify(opened[name]);
  const twins = new Set(shared.filter(differs));
  for (let found = true; found;) {
    const others = shared.filter(
      (name) => !twins.has(name) && [...referencesIn(schemas[name])].some((each) => twins.has(each)),
    );
    for (const name of others) twins.add(name);
    found = others.length > 0;
  }
  for (const name of twins)
    if (schemas[twinOf(name)] !== undefined) throw new Error(`the contract already has ${twinOf(name)}`);
  return twins;
}

function withTwins<T extends Json | undefined>(node: T, twins: ReadonlySet<string>, isMap = false): T {
  if (Array.isArray(node)) return node.map((item) => withTwins(item, twins)) as T;
  if (!isObject(node)) {
    const name = schemaIn(node);
    return (name !== undefined && twins.has(name) ? `${prefix}${twinOf(name)}` : node) as T;
  }
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      !isMap && literalKeys.has(key) ? value : withTwins(value, twins, !isMap && mapKeys.has(key)),
    ]),
  ) as T;
}

/** Every body has an example, so its schema needs none. */
const isComposite = ({ type }: JsonObject) => type === 'object' || type === 'array' || type === undefined;

function withoutExample({ example: _, ...schema }: JsonObject): JsonObject {
  return schema;
}

/** The node with open objects and extensible enums. A single value stays: it discriminates a union. */
function open(node: JsonObject, isMap = false): JsonObject {
  const entries = Object.entries(node).flatMap(([key, value]): [string, Json | undefined][] => {
    if (isMap) return [[key, openWithin(value, false)]];
    if ((key === 'additionalProperties' || key === 'unevaluatedProperties') && value === false) return [];
    return [[key, literalKeys.has(key) ? value : openWithin(value, mapKeys.has(key))]];
  });
  const result: JsonObject = Object.fromEntries(entries);
  return isMap ? result : withOpenEnum(result);
}

const openWithin = (value: Json | undefined, isMap: boolean): Json | undefined => {
  if (Array.isArray(value)) return value.map((item) => openWithin(item, false) ?? null);
  return isObject(value) ? open(value, isMap) : value;
};

function withOpenEnum(schema: JsonObject): JsonObject {
  const { enum: values, 'x-enum-descriptions': texts, ...rest } = schema;
  if (!Array.isArray(values) || values.length < 2) return schema;
  const known = values.filter((value) => value !== null);
  if (known.some((value) => typeof value === 'boolean')) return schema;
  return {
    ...rest,
    description: describedValues(rest['description'], known, texts),
    'x-extensible-enum': known,
  };
}

/** Longer lists are no sentence; `x-extensible-enum` has them. */
const maxWrittenValues = 16;

/** Readers of the published form learn the values from the description: few tools show extensible enums. */
function describedValues(description: Json | undefined, values: Json[], texts: Json | undefined): string {
  const said = typeof description === 'string' ? description.trimEnd() : '';
  const quoted = values.map((value) => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``);
  if (Array.isArray(texts)) {
    const lines = quoted.map((value, index) => `- ${value}: ${(texts as string[])[index] ?? ''}`);
    return `${said}\n\n${lines.join('\n')}`.trimStart();
  }
  return quoted.length > maxWrittenValues || quoted.every((value) => said.includes(value))
    ? said
    : `${said} One of ${quoted.join(', ')}.`.trimStart();
}

function withoutExtensions(node: Json | undefined, isMap: boolean): Json | undefined {
  if (Array.isArray(node)) return node.map((item) => withoutExtensions(item, false) ?? null);
  if (!isObject(node)) return node;
  return Object.fromEntries(
    Object.entries(node).flatMap(([key, value]): [string, Json | undefined][] => {
      if (isMap) return [[key, withoutExtensions(value, false)]];
      if (key.startsWith('x-') && !publicExtensions.has(key)) return [];
      // A single value describes itself.
      if (key === 'description' && 'const' in node) return [];
      return [[key, literalKeys.has(key) ? value : withoutExtensions(value, mapKeys.has(key))]];
    }),
  );
}

/**
 * An entity that is read in pages and by itself, or is the body of several operations, has its example in its schema,
 * once. Pages that only repeat it need none either: tools make one of the schemas.
 */
function withEntityExamples(bundle: Bundle): Bundle {
  const { schemas } = bundle.components;
  const bodies = [...mediaTypesIn(bundle)].flatMap(({ node }) => {
    const name = isObject(node['schema']) ? schemaIn(node['schema']['$ref']) : undefined;
    return name === undefined || node['example'] === undefined ? [] : [{ node, name }];
  });
  const entries = new Set(bodies.map(({ name }) => entryOf(schemas[name])));
  const texts = bodies.map(({ node, name }) => `${name} ${JSON.stringify(node['example'])}`);
  const repeated = new Set(texts.filter((text, index) => texts.indexOf(text) < index));
  for (const [index, { node, name }] of bodies.entries()) {
    const schema = schemas[name];
    if (schema?.['type'] !== 'object' || !(entries.has(name) || repeated.has(texts[index] ?? ''))) continue;
    schema['example'] ??= node['example'];
    if (JSON.stringify(schema['example']) === JSON.stringify(node['example'])) delete node['example'];
  }
  for (const { node, name } of bodies) {
    const entry = entryOf(schemas[name]);
    const example = entry === undefined ? undefined : schemas[entry]?.['example'];
    if (example === undefined || !isObject(node['example'])) continue;
    const { data, ...others } = node['example'];
    if (isListOf(data, example) && isCursorOnly(others)) delete node['example'];
  }
  return bundle;
}

/** The schema of a page's entries. */
function entryOf(schema: JsonObject | undefined): string | undefined {
  const data = isObject(schema?.['properties']) ? schema['properties']['data'] : undefined;
  const items = isObject(data) ? data['items'] : undefined;
  return isObject(items) ? schemaIn(items['$ref']) : undefined;
}

const isListOf = (data: Json | undefined, example: Json) =>
  Array.isArray(data) && data.length === 1 && JSON.stringify(data[0]) === JSON.stringify(example);

const isCursorOnly = (fields: JsonObject) => Object.keys(fields).every((name) => name === 'next_cursor');

/** Shorter examples are not worth a reference. */
const minSharedLength = 200;

/** Examples of several bodies stand once, among the components. */
function withSharedExamples(bundle: Bundle): Bundle {
  const places = new Map<string, JsonObject[]>();
  const names = new Map<string, string>();
  for (const { node, hint } of mediaTypesIn(bundle)) {
    const text = JSON.stringify(node['example']);
    if (text === undefined || text.length < minSharedLength) continue;
    places.set(text, [...(places.get(text) ?? []), node]);
    if (!names.has(text)) names.set(text, hint);
  }
  const shared: JsonObject = {};
  for (const [text, nodes] of places) {
    if (nodes.length < 2) continue;
    const name = unusedName(names.get(text) ?? 'Example', shared);
    shared[name] = { value: nodes[0]?.['example'] };
    for (const node of nodes) {
      delete node['example'];
      node['examples'] = { [name]: { $ref: `#/components/examples/${name}` } };
    }
  }
  const { examples } = bundle.components;
  bundle.components = {
    ...bundle.components,
    examples: { ...(examples as JsonObject | undefined), ...shared },
  };
  return bundle;
}

/**
 * Successes with the same body and headers stand once, among the components, described as the operation that only reads
 * does: “The role.”, not “The updated role.” Each operation says itself what it did.
 */
function withSharedSuccesses(bundle: Bundle): Bundle {
  const places = new Map<string, Place[]>();
  for (const { method, responses } of operationsIn(bundle))
    for (const [status, response] of Object.entries(responses)) {
      if (!status.startsWith('2') || !isObject(response) || response['$ref'] !== undefined) continue;
      const { description: _, ...others } = response;
      const key = JSON.stringify(others['content'] === undefined ? response : sorted(others));
      const place = { holder: responses, status, response, isRead: method === 'get' };
      places.set(key, [...(places.get(key) ?? []), place]);
    }
  const shared = { ...(bundle.components['responses'] as JsonObject | undefined) };
  for (const same of places.values()) {
    const [first] = same;
    const model = same.find(({ isRead }) => isRead) ?? first;
    const isOneText = new Set(same.map(({ response }) => response['description'])).size === 1;
    if (model === undefined || same.length < 2 || !(model.isRead || isOneText)) continue;
    const name = unusedName(schemaOfBody(model.response) ?? 'Success', shared);
    shared[name] = model.response;
    for (const { holder, status } of same) holder[status] = { $ref: `#/components/responses/${name}` };
  }
  bundle.components = { ...bundle.components, responses: shared };
  return bundle;
}

interface Place {
  holder: JsonObject;
  status: string;
  response: JsonObject;
  isRead: boolean;
}

const sorted = (node: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(node).toSorted(([one], [other]) => (one < other ? -1 : 1)));

function schemaOfBody({ content }: JsonObject): string | undefined {
  const [media] = isObject(content) ? Object.values(content) : [];
  return isObject(media) && isObject(media['schema']) ? schemaIn(media['schema']['$ref']) : undefined;
}

function unusedName(wanted: string, taken: JsonObject): string {
  let name = wanted;
  for (let count = 2; taken[name] !== undefined; count += 1) name = `${wanted}${count}`;
  return name;
}

function* operationsIn({ paths }: Bundle): Generator<{ method: string; responses: JsonObject }> {
  for (const item of Object.values(paths))
    for (const method of methods) {
      const operation = item[method];
      if (isObject(operation) && isObject(operation['responses']))
        yield { method, responses: operation['responses'] };
    }
}

/** Every body of the document with JSON, and a name for its example. */
function* mediaTypesIn({ paths, components }: Bundle): Generator<{ node: JsonObject; hint: string }> {
  const bodiesIn = function* (holder: Json | undefined): Generator<{ node: JsonObject; hint: string }> {
    const content = isObject(holder) ? holder['content'] : undefined;
    if (!isObject(content)) return;
    for (const node of Object.values(content))
      if (isObject(node)) {
        const schema = node['schema'];
        yield { node, hint: (isObject(schema) ? schemaIn(schema['$ref']) : undefined) ?? 'Example' };
      }
  };
  const valuesOf = (node: Json | undefined) => (isObject(node) ? Object.values(node) : []);
  for (const item of Object.values(paths))
    for (const method of methods) {
      const operation = item[method];
      if (!isObject(operation)) continue;
      yield* bodiesIn(operation['requestBody']);
      for (const response of valuesOf(operation['responses'])) yield* bodiesIn(response);
    }
  for (const response of valuesOf(components['responses'])) yield* bodiesIn(response);
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
