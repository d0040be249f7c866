// Validation messages for people never contain regular expressions of the contract.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createValidator } from '../../src/contract/values.ts';
import { faultWords, formWords, reasonOf } from '../../src/contract/fault-words.ts';
import { contract, root } from '../support/contract.ts';

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

  it('say what each format of the contracts requires', () => {
    const texts = ['platform', 'local-manager'].map((name) =>
      readFileSync(resolve(root, `generated/${name}.openapi-3.1.json`), 'utf8'),
    );
    const named = texts.flatMap((text) => [...text.matchAll(/"type":[^{}]{1,30},"format":"([a-z0-9-]+)"/g)]);
    const formats = new Set(named.map(([, format]) => format ?? ''));
    expect(formats).toContain('email');
    const unnamed = [...formats].filter(
      (format) => faultWords(`must match format "${format}"`) === faultWords('must match pattern "x"'),
    );
    // Content of uploads and passwords: the validator accepts any.
    expect(unnamed.toSorted()).toEqual(['binary', 'password']);
  });

  it('list a short choice, and the beginning of a long one', () => {
    const chosenFrom = (count: number) =>
      faultWords(
        `must be equal to one of the allowed values: ${Array.from({ length: count }, (_, n) => `v${n}`).join(', ')}`,
      );
    expect(chosenFrom(2)).toBe('must be one of the allowed values: v0, v1');
    expect(chosenFrom(30)).toMatch(/: v0, v1, .*, v29$/);
    expect(chosenFrom(150)).toMatch(/^must be one of the 150 allowed values: v0, v1, .*, v29, …$/);
  });

  it('are those of the example of a problem', () => {
    const { example } = contract.components.schemas['Problem'] as unknown as {
      example: { errors: { detail: string }[] };
    };
    expect(example.errors.map(({ detail }) => detail)).toEqual([faultWords('must match format "email"')]);
  });

  it('say what is needed, in one place for each keyword', () => {
    expect(formWords('must be >= 1', { 'x-form': 'a month' })).toBe('must be at least 1');
  });

  it('are otherwise unchanged', () => {
    expect(faultWords('must match a schema in anyOf')).toBe('must match a schema in anyOf');
  });
});

describe('the rule of a fault', () => {
  const number = { type: 'number' };
  const list = { type: 'array', items: {} };
  const object = { type: 'object', additionalProperties: true };
  it.each([
    ['additionalProperties', undefined, 'is not a known field', { additionalProperties: false }, { a: 1 }],
    ['const', undefined, 'must be the only allowed value', { const: 4 }, 5],
    ['enum', undefined, 'must be one of the allowed values', { enum: ['a', 'b'] }, 'c'],
    ['exclusiveMaximum', '2.5', 'must be less than 2.5', { ...number, exclusiveMaximum: 2.5 }, 3],
    ['exclusiveMinimum', '-3', 'must be more than -3', { ...number, exclusiveMinimum: -3 }, -3],
    ['format', 'email', 'must be an e-mail address', { type: 'string', format: 'email' }, 'now'],
    ['maxItems', '1', 'must have at most 1 entry', { ...list, maxItems: 1 }, [1, 2]],
    ['maxLength', '3', 'must have at most 3 characters', { type: 'string', maxLength: 3 }, 'abcd'],
    ['maxProperties', '1', 'must have at most 1 field', { ...object, maxProperties: 1 }, { a: 1, b: 2 }],
    ['maximum', '1e+21', 'must be at most 1e+21', { ...number, maximum: 1e21 }, 1e22],
    ['minItems', '2', 'must have at least 2 entries', { ...list, minItems: 2 }, []],
    ['minLength', '12', 'must have at least 12 characters', { type: 'string', minLength: 12 }, ''],
    ['minProperties', '1', 'must have at least 1 field', { ...object, minProperties: 1 }, {}],
    ['minimum', '0', 'must be at least 0', { ...number, minimum: 0 }, -1],
    ['multipleOf', '0.5', 'must be a multiple of 0.5', { ...number, multipleOf: 0.5 }, 0.7],
    ['pattern', undefined, 'does not have the required form', { pattern: '^[0-9]{3}$' }, 'x'],
    ['required', undefined, 'is required', { ...object, required: ['a2'] }, {}],
    ['type', 'string,null', 'must be a string or null', { type: ['string', 'null'] }, 4],
    ['uniqueItems', undefined, 'must not have an entry twice', { ...list, uniqueItems: true }, [1, 1]],
  ])('has the words and the value of %s', (keyword, limit, detail, schema, value) => {
    const validate = createValidator().compile(schema);
    expect(validate(value)).toBe(false);
    const [error] = validate.errors ?? [];
    expect(error?.keyword).toBe(keyword);
    expect(reasonOf(error?.message ?? '', error?.keyword)).toEqual({
      detail,
      keyword,
      ...(limit !== undefined && { limit }),
    });
  });

  it('is none where the contract names no such keyword', () => {
    for (const keyword of ['oneOf', 'constructor', undefined])
      expect(reasonOf('is odd', keyword)).toEqual({ detail: 'is odd' });
  });
});
