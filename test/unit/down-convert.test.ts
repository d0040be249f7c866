// The 3.0 form of a 3.1 contract, on small documents and on the platform's own.
import { downConvert } from '../../scripts/down-convert.ts';
import { contract } from '../support/contract.ts';

type Json = Record<string, unknown>;

const documentOf = (more: Json = {}): Json => ({
  openapi: '3.1.0',
  info: { title: 'T', version: '1.0.0' },
  paths: {},
  ...more,
});

/** One converted schema. */
function schema(of: Json, others: Json = {}): unknown {
  const paths = {
    '/it': {
      get: {
        responses: { 200: { description: 'D', content: { 'application/json': { schema: refersToIt } } } },
      },
    },
  };
  const converted = downConvert(documentOf({ paths, components: { schemas: { It: of, ...others } } }));
  return (converted['components'] as { schemas: { It: unknown } }).schemas.It;
}

/** Unreferenced schemas are left out. */
const refersToIt = { $ref: '#/components/schemas/It' };

describe('a document', () => {
  it('has version 3.0.3, without features that 3.0 lacks', () => {
    const converted = downConvert(
      documentOf({
        jsonSchemaDialect: 'https://example.com',
        info: { title: 'T', version: '1', summary: 'S', license: { name: 'MIT', identifier: 'MIT' } },
        webhooks: { it: { post: { responses: {} } } },
      }),
    );
    expect(converted).toEqual({
      openapi: '3.0.3',
      info: { title: 'T', version: '1', license: { name: 'MIT', url: 'https://spdx.org/licenses/MIT.html' } },
      paths: {},
    });
  });

  it('keeps its security, without the names of permissions', () => {
    const security = [{ bearerAuth: ['fleet.view'] }, { superAdmin: [] }];
    const operation = { security, responses: { 204: { description: 'D' } } };
    const converted = downConvert(documentOf({ paths: { '/a': { get: operation } }, security: [] }));
    const { get } = (converted['paths'] as { '/a': { get: Json } })['/a'];
    expect(get['security']).toEqual([{ bearerAuth: [] }, { superAdmin: [] }]);
    expect(converted['security']).toEqual([]);
  });

  it('is not modified', () => {
    const document = documentOf({
      components: { schemas: { It: { type: ['string', 'null'], const: 'x' } } },
    });
    const before = structuredClone(document);
    downConvert(document);
    expect(document).toEqual(before);
  });
});

describe('a schema', () => {
  it.each<[string, Json, Json]>([
    [
      'that may be null',
      { type: ['string', 'null'], format: 'uuid' },
      { type: 'string', nullable: true, format: 'uuid' },
    ],
    ['of two types', { type: ['string', 'integer'] }, {}],
    ['of one value', { type: 'string', const: 'Bearer' }, { type: 'string', enum: ['Bearer'] }],
    [
      'above a number',
      { type: 'number', exclusiveMinimum: 0 },
      { type: 'number', minimum: 0, exclusiveMinimum: true },
    ],
    [
      'below a number',
      { type: 'number', exclusiveMaximum: 9 },
      { type: 'number', maximum: 9, exclusiveMaximum: true },
    ],
    ['with rules for names', { type: 'object', propertyNames: { pattern: 'x' } }, { type: 'object' }],
    [
      'that 3.0 knows',
      { type: 'array', items: { type: 'integer', minimum: 1 } },
      { type: 'array', items: { type: 'integer', minimum: 1 } },
    ],
  ])('%s', (_what, before, after) => {
    expect(schema(before)).toEqual(after);
  });

  it('that refers to another or is null, is nullable', () => {
    const reference = { $ref: '#/components/schemas/Other' };
    const orNull = { description: 'D', oneOf: [reference, { type: 'null' }] };
    expect(schema(orNull, { Other: { type: 'object' } })).toEqual({
      description: 'D',
      allOf: [{ $ref: '#/components/schemas/NullableOther' }],
    });
    expect(schema(orNull, { Other: { type: 'string', enum: ['a'] } })).toEqual({
      description: 'D',
      type: 'string',
      nullable: true,
      enum: ['a', null],
    });
  });

  it('keeps fields that are named like keywords of JSON Schema', () => {
    const names = [
      'type',
      'example',
      'summary',
      'default',
      'enum',
      'description',
      'format',
      'items',
      'nullable',
    ];
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
    expect(schema({ type: 'object', properties })).toEqual({ type: 'object', properties });
  });

  it('keeps its examples and defaults exactly', () => {
    const literal = {
      type: 'null',
      enum: 'x',
      exclusiveMinimum: 3,
      nullable: 'no',
      summary: '',
    };
    expect(schema({ type: 'object', example: literal })).toEqual({ type: 'object', example: literal });
    expect(schema({ type: 'object', default: literal })).toEqual({ type: 'object', default: literal });
  });
});

describe("the platform's contract", () => {
  const converted = downConvert(contract);

  it('has no keyword of 3.1 left in any schema', () => {
    const found: string[] = [];
    const look = (value: unknown, path: string[]): void => {
      if (value === null || typeof value !== 'object') return;
      const [parent, key] = [path.at(-2), path.at(-1)];
      if (key === 'example' || key === 'examples' || key === 'default') return;
      const isSchema = key !== 'properties' || parent === 'properties';
      for (const [name, item] of Object.entries(value)) {
        const isWord =
          ['const', 'propertyNames', 'unevaluatedProperties', 'prefixItems', '$comment'].includes(name) ||
          (name === 'type' && Array.isArray(item)) ||
          (name.startsWith('exclusiveM') && typeof item === 'number');
        if (isSchema && isWord) found.push([...path, name].join('/'));
        look(item, [...path, name]);
      }
    };
    look(converted, []);
    expect(found).toEqual([]);
  });

  it('has all its operations', () => {
    expect(Object.keys(converted['paths'] as Json)).toEqual(Object.keys(contract.paths));
  });
});

it('its patterns and descriptions can be copied into string literals and comments', () => {
  const found: string[] = [];
  const search = (node: unknown, key: string): void => {
    if (typeof node === 'string') {
      if (key === 'pattern' && node.includes('"')) found.push(node);
      if (node.includes('*/')) found.push(node);
    } else if (typeof node === 'object' && node !== null)
      for (const [name, value] of Object.entries(node)) search(value, name);
  };
  search(downConvert(contract), '');
  expect(found).toEqual([]);
});

it('a pattern without quotes matches the same texts', () => {
  const pattern = '^(?:a/?[^"b])*/?"$';
  const { pattern: converted } = schema({ type: 'string', pattern }) as { pattern: string };
  for (const text of ['"', '/"', 'ac"', 'a/c/"', 'ab"', 'ac', '"/"'])
    expect([text, new RegExp(converted, 'u').test(text)]).toEqual([
      text,
      new RegExp(pattern, 'u').test(text),
    ]);
});
