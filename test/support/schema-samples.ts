// Values that a schema of the contract describes, with limits reached often; the same for the same seed.
import fc from 'fast-check';
import type { Random } from './mutations.ts';
import { follow, typesOf, type Schema, type Schemas } from './schemas.ts';

/** Deeper parts are left out where the schema allows it. */
const maxDepth = 6;

interface Source {
  schemas: Schemas;
  random: Random;
  /** An ID for the field of that name. */
  idFor: (field: string) => string;
}

/** A value that the schema most probably accepts: formats and combinations are followed loosely. */
export function sampleOf(schema: Schema, source: Source, field = '', depth = 0): unknown {
  const { schemas, random } = source;
  const found = follow(schema, schemas);
  const {
    const: only,
    enum: values,
    allOf,
    oneOf,
    anyOf,
    ...own
  } = found as Schema & { required?: string[] };
  const within = (part: Schema) => sampleOf(part, source, field, depth);
  if (only !== undefined) return only;
  if (values !== undefined) return random.pick(values);
  if (allOf !== undefined) {
    const parts = [...allOf, ...(own.type === undefined && own.properties === undefined ? [] : [own])];
    return merged(parts.map(within));
  }
  const choices = oneOf ?? anyOf;
  if (choices !== undefined) {
    const chosen = within(random.pick(choices));
    return own.properties === undefined ? chosen : merged([within(own), chosen]);
  }
  const types = typesOf(own);
  return sampleOfType(types.length === 0 ? 'object' : random.pick(types), {
    schema: own,
    source,
    field,
    depth,
  });
}

/** Objects are joined; of other values the last one counts. */
function merged(values: unknown[]): unknown {
  const areObjects = values.every((value) => typeof value === 'object' && value !== null);
  return areObjects ? Object.assign({}, ...values) : values.at(-1);
}

interface Wanted {
  schema: Schema & { required?: string[]; minItems?: number };
  source: Source;
  field: string;
  depth: number;
}

function sampleOfType(type: string, { schema, source, field, depth }: Wanted): unknown {
  const { random } = source;
  switch (type) {
    case 'null':
      return null;
    case 'boolean':
      return random.isTrue(0.5);
    case 'integer':
    case 'number':
      return numberOf(type, schema, random);
    case 'string':
      return textOf(schema, source, field);
    case 'array': {
      const { minItems = 0, maxItems = minItems + 3, items = {} } = schema;
      const count = depth > maxDepth ? minItems : Math.min(maxItems, minItems + random.below(3));
      return Array.from({ length: count }, () => sampleOf(items, source, field.replace(/s$/, ''), depth + 1));
    }
    default:
      return objectOf({ schema, source, field, depth });
  }
}

function objectOf({ schema, source, depth }: Wanted): Record<string, unknown> {
  const { random } = source;
  const { properties = {}, required = [], additionalProperties } = schema;
  const keep = (name: string) => required.includes(name) || (depth <= maxDepth && random.isTrue(0.5));
  const entries = Object.entries(properties)
    .filter(([name]) => keep(name))
    .map(([name, part]): [string, unknown] => [name, sampleOf(part, source, name, depth + 1)]);
  if (typeof additionalProperties === 'object' && depth <= maxDepth) {
    const { propertyNames = { type: 'string', minLength: 1, maxLength: 20 } } = schema;
    for (let count = random.below(3); count > 0; count -= 1)
      entries.push([
        String(sampleOf(propertyNames, source, '', depth + 1)),
        sampleOf(additionalProperties, source, '', depth + 1),
      ]);
  }
  return Object.fromEntries(entries);
}

function numberOf(type: string, schema: Schema, random: Random): number {
  const { exclusiveMinimum, exclusiveMaximum } = schema;
  const lowest = schema.minimum ?? (exclusiveMinimum === undefined ? -1_000 : exclusiveMinimum + 1);
  const highest = schema.maximum ?? (exclusiveMaximum === undefined ? 1_000_000 : exclusiveMaximum - 1);
  if (random.isTrue(0.3)) return random.pick([lowest, highest]);
  const value = lowest + random.next() * (highest - lowest);
  return type === 'integer' || random.isTrue(0.5) ? Math.round(value) : value;
}

const day = (random: Random) => new Date(Date.UTC(2026, 0, 1) + random.below(700) * 86_400_000);

function textOf(schema: Schema, { random, idFor }: Source, field: string): string {
  const { format, pattern, minLength = 0, maxLength = 40 } = schema;
  switch (format) {
    case 'uuid':
      return idFor(field);
    case 'date-time':
      return day(random).toISOString();
    case 'date':
      return day(random).toISOString().slice(0, 10);
    case 'email':
      return `someone-${random.below(1_000)}@example.com`;
    case 'uri':
    case 'uri-reference':
      return `https://example.com/${random.below(1_000)}`;
    case 'uint64':
      return random.pick(['0', '18446744073709551615', String(random.below(1_000_000))]);
    case 'steam-id':
      return `7656119${8_000_000_000 + random.below(1_000)}`;
    case undefined:
    default:
  }
  if (pattern !== undefined) return matching(pattern, random, maxLength);
  const length = random.isTrue(0.2) ? random.pick([minLength, maxLength]) : minLength + random.below(12);
  return words(random, Math.min(length, maxLength));
}

/** Letters of several scripts, punctuation and characters of two code units. */
const characters = [...'abcdefghijklmnopqrstuvwxyzABC0123456789   -_.,:;!?<>&"\'%$#{}[]()/äßéñ北京дом🦀'];

const words = (random: Random, length: number) =>
  Array.from({ length }, () => random.pick(characters)).join('');

const arbitraries = new Map<string, fc.Arbitrary<string>>();

function matching(pattern: string, random: Random, maxLength: number): string {
  const arbitrary = arbitraries.get(pattern) ?? fc.stringMatching(new RegExp(pattern, 'u'));
  arbitraries.set(pattern, arbitrary);
  const [text = ''] = fc.sample(arbitrary, { numRuns: 1, seed: random.below(2 ** 31) });
  return text.length > maxLength ? text.slice(0, maxLength) : text;
}
