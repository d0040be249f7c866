// The API changelog's lists: every change that a caller may notice is in one of them.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { faultOfEntries } from '../../scripts/api-changelog.ts';
import { changesBetween } from '../../scripts/contract-diff.ts';

const root = resolve(import.meta.dirname, '../..');

const problem = (...codes: string[]) => ({
  description: codes.map((code) => `\`${code}\`: Refused.`).join('\n'),
  content: { 'application/problem+json': {} },
});

const contract = (schemas: object, operation: object = {}) => ({
  paths: { '/toys': { post: { operationId: 'createToy', responses: {}, ...operation } } },
  components: { schemas },
});

const toy = (properties: object, others: object = {}) => ({ Toy: { type: 'object', properties, ...others } });

const nothing = { added: [], changed: [], deprecated: [], removed: [] };

it('are empty for the same contract', () => {
  const text = readFileSync(resolve(root, 'generated/platform.openapi-3.1.json'), 'utf8');
  expect(changesBetween(JSON.parse(text) as object, JSON.parse(text) as object)).toEqual(nothing);
});

it('name operations together that have the same change', () => {
  const withOperations = (count: number, maxLength: number) => ({
    paths: Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        `/toys/${index}`,
        {
          get: {
            operationId: `getToy${index}`,
            parameters: [{ name: 'Colour', in: 'header', schema: { type: 'string', maxLength } }],
            responses: {},
          },
        },
      ]),
    ),
  });
  const changesOf = (count: number) =>
    changesBetween(withOperations(count, 5), withOperations(count, 9)).changed;
  const change = 'the header parameter `Colour` has `maxLength` 9 instead of 5';
  expect(changesOf(4)).toEqual([`\`getToy0\`, \`getToy1\`, \`getToy2\`, \`getToy3\`: ${change}`]);
  expect(changesOf(2)).toEqual([
    `\`GET /toys/0\` (\`getToy0\`): ${change}`,
    `\`GET /toys/1\` (\`getToy1\`): ${change}`,
  ]);
});

it('see into nested objects, lists, maps and alternatives', () => {
  const nested = (field: object, kind: string[]) =>
    toy({
      parts: { type: 'array', items: { type: 'object', properties: { wheel: field } } },
      tags: { type: 'object', additionalProperties: field },
      engine: {
        oneOf: [{ $ref: '#/components/schemas/Petrol' }, { type: 'object', properties: { power: field } }],
      },
      shape: { type: 'object', properties: { kind: { type: 'string', enum: kind } } },
    });
  const before = contract(nested({ type: 'string' }, ['round']));
  const after = contract(nested({ type: 'number' }, ['round', 'flat']));
  expect(changesBetween(before, after)).toEqual({
    ...nothing,
    added: ['`Toy.shape.kind`: the value `flat`'],
    changed: [
      '`Toy.engine.power` is `number` instead of `string`',
      '`Toy.parts[].wheel` is `number` instead of `string`',
      '`Toy.tags[*]` is `number` instead of `string`',
    ],
  });
});

it('see no difference between a schema in place and the same one by a name', () => {
  const sizes = { type: 'integer', maximum: 5, deprecated: true };
  const named = { Size: { type: 'integer', maximum: 5, description: 'In meters.' } };
  const reference = { $ref: '#/components/schemas/Size' };
  const before = contract({ ...toy({ size: { ...sizes, deprecated: false }, depth: sizes }) });
  const after = contract({
    ...toy({ size: { ...reference, deprecated: false }, depth: reference }),
    ...named,
  });
  expect(changesBetween(before, after)).toEqual({
    ...nothing,
    changed: ['`Toy.depth` is `Size` instead of `integer`', '`Toy.depth` has no `maximum` (was 5)'].sort(),
  });
});

it('see limits, formats and defaults', () => {
  const before = contract(toy({ size: { type: 'integer', minimum: 1, maximum: 5, default: 3 } }));
  const after = contract(toy({ size: { type: 'integer', maximum: 9, format: 'int32', default: 3 } }));
  expect(changesBetween(before, after).changed).toEqual([
    '`Toy.size` has `format` "int32"',
    '`Toy.size` has `maximum` 9 instead of 5',
    '`Toy.size` has no `minimum` (was 1)',
  ]);
});

it('see fields that become required, optional, deprecated or closed', () => {
  const before = contract(toy({ a: {}, b: {}, c: {} }, { required: ['a'] }));
  const after = contract(
    toy(
      { a: {}, b: {}, c: { deprecated: true }, d: {} },
      { required: ['b', 'd'], additionalProperties: false },
    ),
  );
  expect(changesBetween(before, after)).toEqual({
    added: ['`Toy.d` (required)'],
    changed: ['`Toy.a` is optional', '`Toy.b` is required', '`Toy` accepts no further fields'],
    deprecated: ['`Toy.c`'],
    removed: [],
  });
});

it('see operations that become deprecated, with what replaces them', () => {
  const days = { deprecated: true, 'x-deprecated-on': '2027-01-01', 'x-sunset': '2028-01-01' };
  const deprecatedIn = (operation: object) =>
    changesBetween(contract({}), contract({}, operation)).deprecated;
  expect(deprecatedIn(days)).toEqual(['`POST /toys` (`createToy`), until 2028-01-01']);
  expect(deprecatedIn({ ...days, 'x-successor': 'addToy' })).toEqual([
    '`POST /toys` (`createToy`), until 2028-01-01: use `addToy` instead',
  ]);
});

it('see fields of replies that are always present', () => {
  const before = contract(toy({ a: {} }));
  const after = contract(toy({ a: {}, b: {} }, { required: ['a', 'b'] }));
  expect(changesBetween(before, after)).toEqual({
    ...nothing,
    added: ['`Toy.b`'],
    changed: ['`Toy.a` is always present'],
  });
});

it('see statuses, problems, headers, bodies, parameters and permissions of operations', () => {
  const limit = (maximum: number) => ({ name: 'limit', in: 'query', schema: { type: 'integer', maximum } });
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });
  const before = contract(
    {},
    {
      security: [{ bearerAuth: ['toys.manage'] }],
      parameters: [limit(5), { name: 'color', in: 'query' }],
      responses: { 201: { headers: { ETag: {} }, ...json({ type: 'object' }) }, 409: problem('name_taken') },
    },
  );
  const after = contract(
    {},
    {
      security: [{ bearerAuth: ['toys.make'] }, { apiKey: ['toys.make'] }],
      parameters: [limit(9)],
      requestBody: { required: true, ...json({ type: 'object' }) },
      responses: {
        201: { ...json({ type: 'object', properties: { id: {} } }) },
        409: problem('name_taken', 'limit_reached'),
        422: problem('invalid_toy'),
      },
    },
  );
  const place = '`POST /toys` (`createToy`)';
  expect(changesBetween(before, after)).toEqual({
    added: [
      `${place}: the body as \`application/json\``,
      `${place}: the problem \`limit_reached\``,
      `${place}: the response 201: \`id\``,
      `${place}: the status 422`,
    ],
    changed: [
      `${place} needs \`apiKey\` with \`toys.make\` or \`bearerAuth\` with \`toys.make\` instead of \`bearerAuth\` with \`toys.manage\``,
      `${place}: the body is required`,
      `${place}: the query parameter \`limit\` has \`maximum\` 9 instead of 5`,
    ],
    deprecated: [],
    removed: [`${place}: the header \`ETag\``, `${place}: the query parameter \`color\``],
  });
});

it('see operations, schemas and webhooks that come and go', () => {
  const before = { ...contract({ Toy: {} }), webhooks: { 'toy.made': {} } };
  const after = {
    paths: { '/games': { get: { operationId: 'listGames', responses: {} } } },
    components: { schemas: {} },
    webhooks: { 'toy.sold': {} },
  };
  expect(changesBetween(before, after)).toEqual({
    ...nothing,
    added: ['`GET /games` (`listGames`)', 'webhook `toy.sold`'],
    removed: ['`POST /toys` (`createToy`)', 'schema `Toy`', 'webhook `toy.made`'],
  });
});

it('stand in the newest entry of the changelog, which is that of the contract’s version', () => {
  const entry = (version: string) => ({ version, date: '2026-11-23', summary: 'Toys.', ...nothing });
  const [one, two] = [entry('1.0.0'), entry('1.1.0')];
  expect(faultOfEntries([two, one], '1.1.0', nothing)).toBeUndefined();
  expect(faultOfEntries([two, one], '1.0.0', nothing)).toMatch('has an entry for 1.1.0');
  expect(faultOfEntries([one], '1.1.0', nothing)).toMatch('no entry for version 1.1.0');
  expect(faultOfEntries([one], '1.0.0', { ...nothing, added: ['`GET /toys`'] })).toMatch('does not list');
});
