// What every reader of an OpenAPI document relies on: references, examples, successes and schemas in several parts.
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  exampleOf,
  operationsIn,
  preferredMedia,
  resolved,
  successOf,
} from '../../shared/openapi/document.ts';
import { withPublicExtensions } from '../../shared/openapi/keywords.ts';
import { reachedComponents } from '../../shared/openapi/references.ts';
import { mergedSchema, withoutNull } from '../../shared/openapi/schema.ts';

const root = resolve(import.meta.dirname, '../..');

const document = {
  paths: {
    '/toys/{id}': {
      parameters: [{ $ref: '#/components/parameters/Id' }],
      get: {
        operationId: 'getToy',
        responses: { 404: { description: 'None.' }, 200: { $ref: '#/components/responses/Toy' } },
      },
    },
  },
  components: {
    parameters: { Id: { name: 'id', in: 'path', required: true } },
    responses: {
      Toy: {
        content: { 'text/csv': {}, 'application/json': { schema: { $ref: '#/components/schemas/Toy' } } },
      },
    },
    schemas: {
      Named: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
      Toy: {
        allOf: [{ $ref: '#/components/schemas/Named' }],
        properties: { speed: { type: 'number' } },
        example: { name: 'Car' },
      },
      Maybe: { oneOf: [{ $ref: '#/components/schemas/Toy' }, { type: 'null' }] },
      Circle: { $ref: '#/components/schemas/Circle' },
      'a/b~c': { type: 'string' },
    },
  },
};

it('gives operations the parameters of their path, resolved', () => {
  expect(operationsIn(document)).toMatchObject([
    { path: '/toys/{id}', method: 'get', operation: { parameters: [{ name: 'id', in: 'path' }] } },
  ]);
});

it('finds the success, its preferred body and the example of its schema', () => {
  const [found] = operationsIn(document);
  const success = found && successOf(document, found.operation);
  expect(success?.status).toBe('200');
  const preferred = preferredMedia(success?.response.content);
  expect(preferred?.type).toBe('application/json');
  expect(exampleOf(document, preferred?.media ?? {})).toEqual({ name: 'Car' });
});

it('follows escaped references, and refuses missing and circular ones', () => {
  const at = (name: string) => resolved(document, { $ref: `#/components/schemas/${name}` });
  expect(at('a~1b~0c')).toEqual({ type: 'string' });
  expect(() => at('None')).toThrow('#/components/schemas/None is not in the document');
  expect(() => at('constructor')).toThrow('is not in the document');
  expect(() => at('Circle')).toThrow('circle of references');
});

it('merges the parts of a schema, and looks through a nullable one', () => {
  const { Toy, Maybe } = document.components.schemas;
  const merged = mergedSchema(document, Toy);
  expect(Object.keys(merged.properties ?? {})).toEqual(['name', 'speed']);
  expect(merged.required).toEqual(['name']);
  expect(withoutNull(document, Maybe)).toEqual(merged);
});

it('keeps the type, the values and the narrowest limits of all parts', () => {
  const parts = {
    components: {
      schemas: {
        Name: {
          type: 'string',
          enum: ['a', 'b', 'c'],
          format: 'word',
          minLength: 1,
          maxLength: 9,
          example: 'a',
        },
      },
    },
  };
  const { Name } = { Name: { $ref: '#/components/schemas/Name' } };
  expect(mergedSchema(parts, { allOf: [Name], description: 'A name.' })).toEqual({
    ...parts.components.schemas.Name,
    description: 'A name.',
  });
  const narrow = { allOf: [Name, { enum: ['b', 'c', 'd'], minLength: 0 }], minLength: 2, maxLength: 20 };
  expect(mergedSchema(parts, narrow)).toMatchObject({ enum: ['b', 'c'], minLength: 2, maxLength: 9 });
});

it('reaches the components that a part needs, and no other', () => {
  expect(Object.keys(reachedComponents(document, document.paths)).sort()).toEqual([
    'parameters',
    'responses',
    'schemas',
  ]);
  expect(Object.keys(reachedComponents(document, document.paths)['schemas'] ?? {}).sort()).toEqual([
    'Named',
    'Toy',
  ]);
});

it('leaves out extensions of the server, but not fields and values that are named like them', () => {
  const schema = {
    'x-key': 'Speed',
    'x-sunset': '2027-01-01',
    properties: { 'x-key': { type: 'string', 'x-key': 'Key' } },
    example: { 'x-key': 1 },
  };
  expect(withPublicExtensions(schema)).toEqual({
    'x-sunset': '2027-01-01',
    properties: { 'x-key': { type: 'string' } },
    example: { 'x-key': 1 },
  });
});

describe('extensions', () => {
  const textsOf = (patterns: string[]) =>
    globSync(patterns, { cwd: root })
      .filter((file) => !file.includes('node_modules'))
      .map((file) => readFileSync(resolve(root, file), 'utf8'));
  const namesIn = (texts: string[], form: RegExp) =>
    new Set(texts.flatMap((text) => [...text.matchAll(form)].map(([, name = '']) => name)));
  const declared = namesIn(
    textsOf(['openapi/**/*.yaml', 'local-manager/openapi/**/*.yaml']),
    /(?:^|[\s{,&])(x-[a-z][\w-]*):/gm,
  );
  const code = textsOf(['src/**/*.ts', 'scripts/**/*.ts', 'shared/**/*.ts', 'local-manager/src/**/*.ts']);
  const read = namesIn(code, /'(x-[a-z][\w-]*)'/g);

  it('of the contracts have a reader each', () => {
    expect([...declared].filter((name) => !read.has(name))).toEqual([]);
  });
});
