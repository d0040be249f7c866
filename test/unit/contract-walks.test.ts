// The walks that generate tests, on requests that no operation of the contract may have yet.
import { badValuesOf, idFieldsOf, urlOf, type ContractOperation } from '../support/contract.ts';
import { placesOf, spotsOf, type Schema } from '../support/schemas.ts';

const uuid: Schema = { type: 'string', format: 'uuid' };

const operation: ContractOperation = {
  id: 'runExample',
  method: 'post',
  path: '/hosts/{host_id}/months/{month}',
  area: 'toys',
  tags: [],
  security: [],
  parameters: [
    { name: 'month', in: 'path', schema: { type: 'string', pattern: '^\\d{4}-\\d\\d$' }, example: '2026-11' },
    { name: 'role_id', in: 'query', schema: uuid },
    { name: 'host_id', in: 'path', schema: uuid },
  ],
  body: {
    required: true,
    types: [
      {
        type: 'application/json',
        schema: {
          type: 'object',
          properties: {
            instance_ids: { type: 'array', items: uuid },
            owner: { oneOf: [{ type: 'null' }, { type: 'object', properties: { user_id: uuid } }] },
            items: { type: 'array', items: { allOf: [{ properties: { product_id: uuid } }] } },
            limits: { type: 'object', additionalProperties: uuid },
          },
        },
        examples: [],
      },
    ],
  },
  bodyLimit: 1,
  replies: [],
  rateLimit: undefined,
  requiresStepUp: false,
  problemCodes: [],
};

describe('ids', () => {
  it('are found in queries and bodies at any depth, by their singular names', () => {
    expect(idFieldsOf(operation).map(({ in: part, path, name }) => [part, path.join('/'), name])).toEqual([
      ['query', 'role_id', 'role_id'],
      ['body', 'instance_ids/*', 'instance_id'],
      ['body', 'owner/user_id', 'user_id'],
      ['body', 'items/*/product_id', 'product_id'],
      ['body', 'limits/*', 'limits'],
    ]);
  });

  it('have a place wherever a value can hold them', () => {
    const value = { items: [{ product_id: '1' }, {}], instance_ids: ['2'] };
    const keys = (path: string[]) => spotsOf(value, path).map(({ key, holder }) => [key, holder[key]]);
    expect(keys(['items', '*', 'product_id'])).toEqual([
      ['product_id', '1'],
      ['product_id', undefined],
    ]);
    expect(keys(['instance_ids', '*'])).toEqual([['0', '2']]);
    expect(keys(['role_id'])).toEqual([['role_id', undefined]]);
    expect(keys(['owner', 'user_id'])).toEqual([]);
  });
});

describe('schemas', () => {
  it('that are recursive are walked once', () => {
    const Tree: Schema = { properties: { children: { items: { $ref: '#/components/schemas/Tree' } } } };
    const paths = placesOf({ $ref: '#/components/schemas/Tree' }, { Tree }).map(({ path }) => path.join('/'));
    expect(paths).toEqual(['', 'children']);
  });
});

describe('parameters of a path', () => {
  it('are filled with an id that refers to nothing, or with their example', () => {
    expect(urlOf(operation)).toBe('/hosts/0199a1f0-0000-7000-8000-000000000000/months/2026-11');
    expect(urlOf(operation, { host_id: 'a', month: 'b' })).toBe('/hosts/a/months/b');
  });

  it('are given values that their schema rejects, and values no path may have', () => {
    const slug = { name: 'slug', in: 'path' as const, schema: { type: 'string', pattern: '^[a-z0-9-]+$' } };
    expect(badValuesOf(slug)).toEqual([
      '%00',
      '..%2f..%2fetc',
      "'%20or%20true--",
      expect.stringMatching(/%00$/),
    ]);
    expect(badValuesOf({ ...slug, schema: uuid })).toEqual(expect.arrayContaining(['x', '1']));
    const number = { ...slug, schema: { type: 'integer', minimum: 0, maximum: 9 } };
    expect(badValuesOf(number)).toEqual(expect.arrayContaining(['x', '-1']));
    expect(badValuesOf(number)).not.toContain('1');
  });
});
