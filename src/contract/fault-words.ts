// Faults of the validator for readers: messages without regular expressions, and what a text of the caller's own needs.
import type { Fault } from '../errors.ts';

const otherForm = 'does not have the required form';

/** Plural nouns of the validator's messages, and the nouns for readers. */
const nouns: Readonly<Record<string, readonly [one: string, many: string]>> = {
  characters: ['character', 'characters'],
  items: ['entry', 'entries'],
  properties: ['field', 'fields'],
};

const counted = (count = '', noun = '') => `${count} ${nouns[noun]?.[count === '1' ? 0 : 1] ?? noun}`;

const types: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'an integer',
  null: 'null',
  number: 'a number',
  object: 'an object',
  string: 'a string',
};

/** What each format of the contracts requires. */
const formats: Readonly<Record<string, string>> = {
  date: 'must be a day, such as 2026-11-21',
  'date-time': 'must be an RFC 3339 time from 0001-01-02 to 9999-12-30, such as 2026-11-21T10:00:00Z',
  'display-name': 'must be one line without hidden characters that starts and ends with a visible character',
  email: 'must be an e-mail address',
  int32: 'must be an integer from -2147483648 to 2147483647',
  int64: 'must be an integer of 64 bits',
  'plain-text': 'must have a visible character and no hidden characters',
  'steam-id': 'must be the SteamID of an account, 17 digits',
  uint64: 'must be an integer from 0 to 18446744073709551615, as text',
  uri: 'must be an absolute URI',
  'uri-reference': 'must be a URI or a path',
  uuid: 'must be a UUID in lower case',
};

/** Values shown of a long choice, such as the types of event. */
const maxShownValues = 30;

function choice(values: readonly string[] = []): string {
  if (values.length === 0) return 'one of the allowed values';
  if (values.length <= maxShownValues) return `one of the allowed values: ${values.join(', ')}`;
  return `one of the ${values.length} allowed values: ${values.slice(0, maxShownValues).join(', ')}, …`;
}

/** Ajv's messages, and what readers see instead. The first that matches counts. */
const wordings: readonly [RegExp, (...parts: string[]) => string][] = [
  [/^must match pattern /, () => otherForm],
  [/^must match format "([^"]+)"$/, (format = '') => formats[format] ?? otherForm],
  [/^must NOT have fewer than (\d+) (\w+)$/, (count, noun) => `must have at least ${counted(count, noun)}`],
  [/^must NOT have more than (\d+) (\w+)$/, (count, noun) => `must have at most ${counted(count, noun)}`],
  [/^must NOT have duplicate items/, () => 'must not have an entry twice'],
  [
    /^must be equal to one of the allowed values(?:: (.*))?$/s,
    (values) => `must be ${choice(values?.split(', '))}`,
  ],
  [/^must be equal to constant$/, () => 'must be the only allowed value'],
  [/^must be multiple of (.*)$/, (step) => `must be a multiple of ${step}`],
  [/^must be >= (.*)$/, (limit) => `must be at least ${limit}`],
  [/^must be <= (.*)$/, (limit) => `must be at most ${limit}`],
  [/^must be > (.*)$/, (limit) => `must be more than ${limit}`],
  [/^must be < (.*)$/, (limit) => `must be less than ${limit}`],
  [
    /^must be ((?:array|boolean|integer|null|number|object|string)(?:,\w+)*)$/,
    (names = '') =>
      `must be ${names
        .split(',')
        .map((name) => types[name] ?? name)
        .join(' or ')}`,
  ],
];

/** A validator's message as callers see it. */
export function faultWords(message: string): string {
  for (const [form, words] of wordings) {
    const found = form.exec(message);
    if (found !== null) return words(...found.slice(1));
  }
  return message;
}

/** As `faultWords`, but uses the form that the failed schema names as `x-form`, if it names one. */
export function formWords(message: string, schema: unknown): string {
  const form = (schema as { 'x-form'?: unknown } | undefined)?.['x-form'];
  const words = faultWords(message);
  return words === otherForm && typeof form === 'string' ? `is not ${form}` : words;
}

/** For faults whose place is the missing or unknown field itself. */
const wordsOfFields: ReadonlyMap<string, string> = new Map([
  ['additionalProperties', 'is not a known field'],
  ['required', 'is required'],
]);

type Keyword = NonNullable<Fault['keyword']>;

const quoted = /"([^"]*)"$/;
const number = /-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/i;

/** Where the message of each keyword has the keyword's value; express-openapi-validator passes nothing else on. */
const limits: Readonly<Record<Keyword, RegExp | null>> = {
  additionalProperties: null,
  const: null,
  enum: null,
  exclusiveMaximum: number,
  exclusiveMinimum: number,
  format: quoted,
  maxItems: number,
  maxLength: number,
  maxProperties: number,
  maximum: number,
  minItems: number,
  minLength: number,
  minProperties: number,
  minimum: number,
  multipleOf: number,
  pattern: null,
  required: null,
  type: /[a-z,]+$/,
  uniqueItems: null,
};

/** A message of the validator in words, with the keyword that it is about, if the contract names that, and its value. */
export function reasonOf(message: string, keyword = ''): Pick<Fault, 'detail' | 'keyword' | 'limit'> {
  const detail = wordsOfFields.get(keyword) ?? faultWords(message);
  if (!Object.hasOwn(limits, keyword)) return { detail };
  const [whole, part = whole] = limits[keyword as Keyword]?.exec(message) ?? [];
  return { detail, keyword: keyword as Keyword, ...(part !== undefined && { limit: part }) };
}
