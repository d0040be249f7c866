// Validation messages for people never contain regular expressions of the contract.
import { createValidator } from '../../src/contract/values.ts';
import { faultWords, formWords, ruleOf } from '../../src/contract/fault-words.ts';

describe('validation messages', () => {
  it.each(['must match pattern "^[a-z]+$"', 'must match pattern "^(a|b)\n$"'])(
    'contain no expression: %s',
    (message) => {
      expect(faultWords(message)).toBe('does not have the required form');
      expect(formWords(message, undefined)).toBe('does not have the required form');
      expect(formWords(message, { 'x-form': 'a month' })).toBe('is not a month');
    },
  );

  it('name the range of times', () => {
    const message = 'must match format "date-time"';
    expect(faultWords(message)).toContain('from 0001-01-02 to 9999-12-30');
    expect(formWords(message, undefined)).toBe(faultWords(message));
  });

  it('are otherwise unchanged', () => {
    expect(faultWords('must be >= 1')).toBe('must be >= 1');
    expect(formWords('must be >= 1', { 'x-form': 'a month' })).toBe('must be >= 1');
  });
});

describe('the rule of a fault', () => {
  const number = { type: 'number' };
  const list = { type: 'array', items: {} };
  const object = { type: 'object', additionalProperties: true };
  it.each([
    ['additionalProperties', undefined, { ...object, additionalProperties: false }, { a: 1 }],
    ['const', undefined, { const: 4 }, 5],
    ['enum', undefined, { type: 'string', enum: ['a', 'b'] }, 'c'],
    ['exclusiveMaximum', '2.5', { ...number, exclusiveMaximum: 2.5 }, 3],
    ['exclusiveMinimum', '-3', { ...number, exclusiveMinimum: -3 }, -3],
    ['format', 'date-time', { type: 'string', format: 'date-time' }, 'now'],
    ['maxItems', '1', { ...list, maxItems: 1 }, [1, 2]],
    ['maxLength', '3', { type: 'string', maxLength: 3 }, 'abcd'],
    ['maxProperties', '1', { ...object, maxProperties: 1 }, { a: 1, b: 2 }],
    ['maximum', '1e+21', { ...number, maximum: 1e21 }, 1e22],
    ['minItems', '2', { ...list, minItems: 2 }, []],
    ['minLength', '12', { type: 'string', minLength: 12 }, ''],
    ['minProperties', '1', { ...object, minProperties: 1 }, {}],
    ['minimum', '0', { ...number, minimum: 0 }, -1],
    ['multipleOf', '0.5', { ...number, multipleOf: 0.5 }, 0.7],
    ['pattern', undefined, { type: 'string', pattern: '^[0-9]{3}$' }, 'x'],
    ['required', undefined, { ...object, required: ['a2'], properties: { a2: {} } }, {}],
    ['type', 'string,null', { type: ['string', 'null'] }, 4],
    ['uniqueItems', undefined, { ...list, uniqueItems: true }, [1, 1]],
  ])('has the value of %s', (keyword, limit, schema, value) => {
    const validate = createValidator().compile(schema);
    expect(validate(value)).toBe(false);
    const [error] = validate.errors ?? [];
    expect(error?.keyword).toBe(keyword);
    expect(ruleOf(error?.keyword, error?.message ?? '')).toEqual({
      keyword,
      ...(limit !== undefined && { limit }),
    });
  });

  it('is none where the contract names no such keyword', () => {
    expect(ruleOf('oneOf', 'must match exactly one schema in oneOf')).toEqual({});
    expect(ruleOf('constructor', 'is odd')).toEqual({});
    expect(ruleOf(undefined, 'Unknown query parameter')).toEqual({});
  });
});
