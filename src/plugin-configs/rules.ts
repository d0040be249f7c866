// Checks that apply to every configuration, by its schema alone.
import { escaped } from './json-text.ts';
import type { Remark } from './reading.ts';
import { isMap, isWritten, keysOf, type Schema } from './schema.ts';
import type { ConfigValue } from './wanted.ts';

type Plain = Readonly<Record<string, ConfigValue>>;

const isPlain = (value: ConfigValue): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]|\p{Surrogate}/u;

/**
 * Texts and names with control characters, which consoles cannot show and databases refuse. Tabs and line breaks are
 * allowed.
 */
export function unprintable(value: ConfigValue, pointer: string): Remark[] {
  return isPrintable(value) ? [] : unprintableIn(value, pointer);
}

/** Builds no JSON pointers, because documents may be large. */
function isPrintable(value: ConfigValue): boolean {
  if (typeof value === 'string') return !control.test(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value as Plain).every(([key, inner]) => !control.test(key) && isPrintable(inner));
}

function unprintableIn(value: ConfigValue, pointer: string): Remark[] {
  if (typeof value === 'string')
    return control.test(value) ? [{ pointer, detail: 'has a control character or half of a character' }] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value as Plain).flatMap(([key, inner]) => {
    const at = `${pointer}/${escaped(key)}`;
    return control.test(key)
      ? [{ pointer: at.toWellFormed(), detail: 'is a name with a control character or half of a character' }]
      : unprintableIn(inner, at);
  });
}

/** Entry names that equal the key of a declared field: it would be ambiguous which of the two counts. */
export function namedTwice(schema: Schema, value: ConfigValue, pointer: string): Remark[] {
  if (!isPlain(value) || !hasRest(schema)) return [];
  if (isMap(schema))
    return Object.entries(value).flatMap(([key, each]) =>
      namedTwice(schema.additionalProperties, each, `${pointer}/${escaped(key)}`),
    );
  const parts = Object.entries(schema.properties ?? {});
  const named = new Map(parts.map(([name, part]) => [keysOf(part)[0], name]));
  return parts.flatMap(([name, part]) => {
    const given = value[name];
    const at = `${pointer}/${name}`;
    if (part['x-rest'] !== true || !isPlain(given)) return namedTwice(part, given, at);
    return Object.keys(given).flatMap((key) => {
      const field = named.get(key);
      return field === undefined
        ? []
        : [{ pointer: `${at}/${escaped(key)}`, detail: `belongs into ${field}, its own field` }];
    });
  });
}

/** Returns a check whether any field of a schema, at any depth, matches; each schema is visited once. */
function anywhere(isSuch: (part: Schema) => boolean): (schema: Schema) => boolean {
  const known = new WeakMap<Schema, boolean>();
  return function has(schema: Schema): boolean {
    const found =
      known.get(schema) ??
      (Object.values(schema.properties ?? {}).some((part) => isSuch(part) || has(part)) ||
        (isMap(schema) && has(schema.additionalProperties)));
    known.set(schema, found);
    return found;
  };
}

const hasRest = anywhere((part) => part['x-rest'] === true);
const hasUnwritten = anywhere((part) => !isWritten(part));

export function unwrittenIn(
  schema: Schema,
  value: ConfigValue,
  pointer: string,
  isFile: (name: string) => boolean = () => false,
): Remark[] {
  if (!isPlain(value)) return [];
  if (isMap(schema))
    return hasUnwritten(schema)
      ? Object.entries(value).flatMap(([key, each]) =>
          unwrittenIn(schema.additionalProperties, each, `${pointer}/${escaped(key)}`),
        )
      : [];
  return Object.entries(schema.properties ?? {}).flatMap(([name, part]) => {
    const given = value[name];
    const at = `${pointer}/${name}`;
    if (given === undefined) return [];
    if (!isWritten(part) && !isFile(name))
      return [{ pointer: at, detail: 'The plugin has no such setting; it is kept here and not written.' }];
    return unwrittenIn(part, given, at);
  });
}
