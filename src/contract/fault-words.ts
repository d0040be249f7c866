// Faults of the validator for readers: messages without regular expressions, and what a text of the caller's own needs.
import type { Fault } from '../errors.ts';

const patternMessage = /^must match pattern /;

const otherForm = 'does not have the required form';

/** Messages that say less than the format requires. */
const wordsOfFormats: Readonly<Record<string, string>> = {
  'must match format "date-time"':
    'must be an RFC 3339 time from 0001-01-02 to 9999-12-30, such as 2026-11-21T10:00:00Z',
};

/** A validator's message as callers see it. */
export const faultWords = (message: string): string =>
  patternMessage.test(message) ? otherForm : (wordsOfFormats[message] ?? message);

/** As `faultWords`, but uses the form that the failed schema names as `x-form`, if it names one. */
export function formWords(message: string, schema: unknown): string {
  if (!patternMessage.test(message)) return wordsOfFormats[message] ?? message;
  const form = (schema as { 'x-form'?: unknown } | undefined)?.['x-form'];
  return typeof form === 'string' ? `is not ${form}` : otherForm;
}

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

/** The keyword that a message of the validator is about, if the contract names it, with its value. */
export function ruleOf(keyword: string | undefined, message: string): Pick<Fault, 'keyword' | 'limit'> {
  if (keyword === undefined || !Object.hasOwn(limits, keyword)) return {};
  const [whole, part = whole] = limits[keyword as Keyword]?.exec(message) ?? [];
  return { keyword: keyword as Keyword, ...(part !== undefined && { limit: part }) };
}
