// The published form of the contract: open replies, closed requests, and a size that tools can handle.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { publishedContract } from '../../scripts/published-contract.ts';
import { publicExtensions } from '../../shared/openapi/keywords.ts';
import { root } from '../support/contract.ts';

type Node = Record<string, unknown>;

interface Published {
  paths: Record<string, Record<string, Node>>;
  webhooks?: Node;
  components: Record<string, Record<string, Node>>;
}

const file = (name: string) => resolve(root, `generated/${name}.openapi-3.1.json`);
const read = (name: string) => JSON.parse(readFileSync(file(name), 'utf8')) as Published;

const methods = ['get', 'put', 'post', 'delete', 'patch'];

const operationsOf = ({ paths }: Published) =>
  Object.values(paths).flatMap((item) =>
    Object.entries(item)
      .filter(([method]) => methods.includes(method))
      .map(([, operation]) => ({ ...operation, shared: item['parameters'] })),
  ) as (Node & { shared?: unknown })[];

/** Every schema, parameter and body that the nodes reach, with examples left out. */
function reachedFrom(document: Published, nodes: unknown[], stopsAt: (name: string) => boolean): Node[] {
  const found: Node[] = [];
  const seen = new Set<string>();
  const waiting = [...nodes];
  for (let node = waiting.pop(); waiting.length > 0 || node !== undefined; node = waiting.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    if (!Array.isArray(node)) found.push(node as Node);
    for (const [key, value] of Object.entries(node)) {
      if (key === 'example' || key === 'examples') continue;
      if (key !== '$ref') {
        waiting.push(value);
        continue;
      }
      const [, , kind = '', name = ''] = String(value).split('/');
      if (seen.has(String(value)) || stopsAt(name)) continue;
      seen.add(String(value));
      waiting.push(document.components[kind]?.[name]);
    }
  }
  return found;
}

/** The fields of a schema, of its parts too. */
function fieldsIn(node: unknown): [string, Node][] {
  if (typeof node !== 'object' || node === null) return [];
  const { properties = {} } = node as { properties?: Record<string, Node> };
  return [...Object.entries(properties), ...Object.values(node).flatMap(fieldsIn)];
}

/** Whether the words of the description are those of the name, apart from a default. */
const repeats = (description: string, name: string) =>
  description
    .replace(/Default: .*/s, '')
    .replace(/^Setting/, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '') === name;

const isClosed = (node: Node) =>
  node['additionalProperties'] === false || node['unevaluatedProperties'] === false;
/** A single value discriminates a union. */
const hasClosedEnum = ({ enum: values }: Node) =>
  Array.isArray(values) && values.length > 1 && !values.includes(true);

/** Documents that are read, edited and sent back have one form. */
const isSentBack = (name: string) => /ConfigData$|^MigrationDocument$/.test(name);

describe.each(['platform', 'local-manager'])('%s', (name) => {
  const document = read(name);
  const operations = operationsOf(document);

  it('has replies that accept further fields and values', () => {
    const sent = [operations.map(({ responses }) => responses), document.webhooks];
    const replies = reachedFrom(document, sent, () => false);
    expect(replies.length).toBeGreaterThan(100);
    expect(replies.filter((node) => isClosed(node) || hasClosedEnum(node))).toEqual([]);
  });

  it('has requests that accept named fields and listed values only', () => {
    const sent = operations.map(({ shared, parameters, requestBody }) => [shared, parameters, requestBody]);
    const requests = reachedFrom(document, sent, isSentBack);
    expect(requests.length).toBeGreaterThan(50);
    expect(requests.filter((node) => 'x-extensible-enum' in node)).toEqual([]);
    const open = requests.filter(
      (node) => node['type'] === 'object' && node['properties'] !== undefined && !isClosed(node),
    );
    expect(open.filter((node) => node['additionalProperties'] === undefined)).toEqual([]);
  });

  it('describes no field by its name alone', () => {
    const repeating = Object.entries(document.components['schemas'] ?? {}).flatMap(([schema, node]) =>
      fieldsIn(node)
        .filter(([field, { description }]) => typeof description === 'string' && repeats(description, field))
        .map(([field]) => `${schema}.${field}`),
    );
    expect(repeating).toEqual([]);
  });

  it('has no extension that only the server reads', () => {
    const names = [...readFileSync(file(name), 'utf8').matchAll(/"(x-[A-Za-z-]+)":/g)].map(
      ([, each]) => each,
    );
    expect([...new Set(names)].filter((each) => !publicExtensions.has(each ?? ''))).toEqual([]);
  });
});

it('escapes line separators, at which some programs split texts', () => {
  for (const name of ['platform', 'local-manager'])
    expect([...readFileSync(file(name), 'utf8').matchAll(/.{0,60}[\u2028\u2029]/g)].map(String)).toEqual([]);
});

/** A ceiling is raised here, with a reason in the decision. */
function refuseAbove(count: number, max: number, what: string): void {
  if (count > max)
    throw new Error(`the contract has ${count} ${what}, more than ${max}: see docs/decisions/0066`);
}

it('the platform’s contract has at most 1.2 MB', () => {
  refuseAbove(readFileSync(file('platform')).byteLength, 1_200_000, 'bytes');
});

it('the platform’s contract has at most 294 operations, a ceiling with a reason for each', () => {
  refuseAbove(operationsOf(read('platform')).length, 294, 'operations');
});

describe('a schema', () => {
  const Colour = { type: 'string', enum: ['red', 'blue'], description: 'The paint.' };
  const Toy = {
    type: 'object',
    additionalProperties: false,
    'x-internal': true,
    properties: { colour: { $ref: '#/components/schemas/Colour' }, default: { type: 'string' } },
    example: { colour: 'red', 'x-internal': 1 },
  };
  const json = (name: string) => ({
    'application/json': { schema: { $ref: `#/components/schemas/${name}` }, example: { colour: 'red' } },
  });
  const formOf = (schemas: Node, sent: string, returned: string) =>
    publishedContract({
      paths: {
        '/toys': {
          post: { requestBody: { content: json(sent) }, responses: { 200: { content: json(returned) } } },
        },
      },
      components: { schemas },
    }) as unknown as Published;

  it('of replies only is opened, and its values are described', () => {
    const { schemas } = formOf({ Colour, Toy, Sent: { type: 'object' } }, 'Sent', 'Toy').components;
    expect(schemas).toEqual({
      Colour: {
        type: 'string',
        description: 'The paint. One of `red`, `blue`.',
        'x-extensible-enum': ['red', 'blue'],
      },
      Toy: {
        type: 'object',
        properties: { colour: { $ref: '#/components/schemas/Colour' }, default: { type: 'string' } },
      },
      Sent: { type: 'object' },
    });
  });

  it('of requests and replies has a closed twin, and so has what it refers to', () => {
    const { paths, components } = formOf({ Colour, Toy }, 'Toy', 'Toy');
    expect(Object.keys(components['schemas'] ?? {}).sort()).toEqual([
      'Colour',
      'ColourInput',
      'Toy',
      'ToyInput',
    ]);
    expect(components['schemas']?.['ToyInput']).toMatchObject({
      additionalProperties: false,
      properties: { colour: { $ref: '#/components/schemas/ColourInput' } },
    });
    expect(paths['/toys']?.['post']).toMatchObject({
      requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/ToyInput' } } } },
      responses: {
        200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Toy' } } } },
      },
    });
  });

  it('of several replies has their example, and replies with the same body are one', () => {
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/Toy' }, example: {} } };
    const { paths, components } = publishedContract({
      paths: {
        '/toy': {
          get: { responses: { 200: { description: 'The toy.', content } } },
          patch: { responses: { 200: { description: 'The changed toy.', content } } },
          delete: { responses: { 202: { description: 'The toy, which will be deleted.' } } },
        },
      },
      components: { schemas: { Toy } },
    }) as unknown as Published;
    const reference = { $ref: '#/components/responses/Toy' };
    expect(paths['/toy']).toMatchObject({
      get: { responses: { 200: reference } },
      patch: { responses: { 200: reference } },
      delete: { responses: { 202: { description: 'The toy, which will be deleted.' } } },
    });
    expect(components['responses']?.['Toy']).toEqual({
      description: 'The toy.',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Toy' } } },
    });
    expect(components['schemas']?.['Toy']).toMatchObject({ example: {} });
  });

  it('that is edited and sent back has one form', () => {
    const { schemas } = formOf({ Colour, Toy: { ...Toy, 'x-sent-back': true } }, 'Toy', 'Toy').components;
    expect(Object.keys(schemas ?? {})).toEqual(['Colour', 'Toy']);
  });
});
