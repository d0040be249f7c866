// Any value that a schema of the contract allows.
import fc from 'fast-check';
import { ofGeneration } from '../../src/plugin-configs/generations.ts';
import type { PluginKind } from '../../src/plugin-configs/kind.ts';
import { isMap, typesOf, type Schema } from '../../src/plugin-configs/schema.ts';

type Bounds = Schema & {
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  minLength?: number;
  pattern?: string;
  enum?: unknown[];
};

/** Any configuration of a kind, for one of its generations. */
export function configsOf({ schema, definition }: PluginKind): fc.Arbitrary<unknown> {
  const { generations = [] } = definition;
  return generations.length === 0
    ? valuesOf(schema)
    : fc.oneof(...generations.map((generation) => valuesOf(ofGeneration(schema, generation))));
}

const printable = (schema: Bounds) =>
  fc.string({ minLength: schema.minLength ?? 0, maxLength: Math.min(schema.maxLength ?? 8, 8) });

export function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  const bounds = schema as Bounds;
  if (bounds.enum !== undefined) return fc.constantFrom(...bounds.enum);
  const of = typesOf(schema).map((type) => valuesOfType(type, bounds));
  return of.length === 1 ? (of[0] as fc.Arbitrary<unknown>) : fc.oneof(...of);
}

function valuesOfType(type: string, schema: Bounds): fc.Arbitrary<unknown> {
  const { minimum: min = -1000, maximum: max = 1_000_000 } = schema;
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: Math.ceil(min), max: Math.floor(max) });
    case 'number':
      return fc.oneof(
        fc.integer({ min: Math.ceil(min), max: Math.floor(max) }),
        fc
          .double({ min, max, noNaN: true, noDefaultInfinity: true })
          .filter((value) => !Object.is(value, -0)),
      );
    case 'string':
      if (schema.format === 'uint64') return fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String);
      return schema.pattern === undefined
        ? printable(schema)
        : fc.stringMatching(new RegExp(schema.pattern, 'u'));
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}), { maxLength: 2 });
    default:
      return isMap(schema) ? mapsOf(schema) : objectsOf(schema);
  }
}

function mapsOf(schema: Schema & { additionalProperties: Schema }): fc.Arbitrary<unknown> {
  const { propertyNames } = schema as { propertyNames?: Schema };
  const keys =
    propertyNames === undefined
      ? fc.string({ minLength: 1, maxLength: 20 })
      : (valuesOf(propertyNames) as fc.Arbitrary<string>);
  return fc.dictionary(
    keys.filter((key) => key !== '__proto__'),
    valuesOf(schema.additionalProperties),
    {
      maxKeys: 2,
    },
  );
}

function objectsOf({ properties = {}, required = [] }: Schema): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, valuesOf(part)]));
  return fc.record(fields, { requiredKeys: required });
}
