// Field names come from requests and files, and must match only own fields of the schema.
import { fieldOf, type Schema } from '../../src/plugin-configs/schema.ts';

const schema: Schema = { type: 'object', properties: { title: { type: 'string' } } };

it('a field of the schema is found by its name', () => {
  expect(fieldOf(schema, 'title')).toEqual({ type: 'string' });
  expect(fieldOf({}, 'title')).toBeUndefined();
});

it.each(['constructor', 'toString', 'hasOwnProperty', '__proto__'])('%s is not a field', (name) => {
  expect(fieldOf(schema, name)).toBeUndefined();
  expect(fieldOf({ properties: {} }, name)).toBeUndefined();
});
