// The limits and the default of a schema in words, for the reference and the command line.
import type { Schema } from './schema.ts';

/** `1 to 100`, `at most 200 characters`, `default ...`; the default as the function prints JSON. */
export function limitsOf(schema: Schema, codeOf: (json: string) => string): string[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, minLength, maxLength, minItems, maxItems } =
    schema;
  return [
    rangeOf(minimum, maximum, ''),
    exclusiveMinimum === undefined ? '' : `more than ${exclusiveMinimum}`,
    exclusiveMaximum === undefined ? '' : `less than ${exclusiveMaximum}`,
    rangeOf(minLength, maxLength, ' characters'),
    rangeOf(minItems, maxItems, ' items'),
    schema.default === undefined ? '' : `default ${codeOf(JSON.stringify(schema.default))}`,
  ].filter((text) => text !== '');
}

function rangeOf(min: number | undefined, max: number | undefined, unit: string): string {
  if (min === undefined && max === undefined) return '';
  if (max === undefined) return `at least ${min ?? 0}${unit}`;
  if (min === undefined) return `at most ${max}${unit}`;
  return min === max ? `${min}${unit}` : `${min} to ${max}${unit}`;
}
