// Schemas of the contract as tests walk them: which schema applies where in a value, and which values it
// rejects.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Schema } from '../../shared/openapi/schema.ts';
import { formats } from '../../src/values/formats.ts';

export type { Schema };

export type Schemas = Readonly<Record<string, Schema>>;

/**
 * A schema, and where in a value it applies: names of fields, and `*` for each entry of an array or a map.
 */
export interface Place {
  path: readonly string[];
  schema: Schema;
}

/** Follows references among the contract's schemas. Keywords beside a reference apply too. */
export function follow(schema: Schema, schemas: Schemas): Schema {
  if (schema.$ref === undefined) return schema;
  const { $ref, ...beside } = schema;
  const target = schemas[$ref.replace('#/components/schemas/', '')];
  if (target === undefined) throw new Error(`${$ref} is not among the contract's schemas`);
  return { ...follow(target, schemas), ...beside };
}

/**
 * The schema and every one beneath it. A recursive schema is entered once; without schemas to resolve them,
 * references are where it ends.
 */
export function placesOf(schema: Schema, schemas?: Schemas): Place[] {
  const walk = (node: Schema, path: readonly string[], within: readonly string[]): Place[] => {
    if (node.$ref !== undefined && schemas !== undefined) {
      if (within.includes(node.$ref)) return [];
      return walk(follow(node, schemas), path, [...within, node.$ref]);
    }
    const under = (child: Schema, ...steps: string[]) => walk(child, [...path, ...steps], within);
    const objectOf = (child: boolean | Schema | undefined) => (typeof child === 'object' ? [child] : []);
    return [
      { path, schema: node },
      ...[...(node.allOf ?? []), ...(node.oneOf ?? []), ...(node.anyOf ?? [])].flatMap((part) => under(part)),
      ...Object.entries(node.properties ?? {}).flatMap(([name, child]) => under(child, name)),
      ...objectOf(node.items).flatMap((child) => under(child, '*')),
      ...objectOf(node.additionalProperties).flatMap((child) => under(child, '*')),
      ...objectOf(node.propertyNames).flatMap((child) => under(child, 'name of a field')),
    ];
  };
  return walk(schema, [], []);
}

/** A place in one value: its container and its key. */
export interface Spot {
  holder: Record<string, unknown>;
  key: string;
}

/** The places in the value that the path leads to. An omitted field has its place too. */
export function spotsOf(value: unknown, [step, ...rest]: readonly string[]): Spot[] {
  if (step === undefined || typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>;
  const keys = step === '*' ? Object.keys(holder) : [step];
  return keys.flatMap((key) => (rest.length === 0 ? [{ holder, key }] : spotsOf(holder[key], rest)));
}

const ajv = withFormats(new Ajv2020({ strict: false, coerceTypes: true }));
const strict = withFormats(new Ajv2020({ strict: false, allErrors: true }));

function withFormats(validator: Ajv2020): Ajv2020 {
  addFormats.default(validator);
  for (const [name, validate] of Object.entries(formats)) validator.addFormat(name, validate);
  return validator;
}

/** Compiles schemas that refer to the schemas of a contract, each once; the contract itself is read once. */
class Compiler {
  readonly #ajv: Ajv2020;
  readonly #contracts = new WeakMap<Schemas, { id: string; compiled: Map<string, ValidateFunction> }>();
  #count = 0;

  constructor(validator: Ajv2020) {
    this.#ajv = validator;
  }

  compile(schema: Schema, schemas: Schemas): ValidateFunction {
    const { id, compiled } = this.#contractOf(schemas);
    const text = JSON.stringify(schema).replaceAll('"#/components/', `"${id}#/components/`);
    let validate = compiled.get(text);
    if (validate === undefined) {
      validate = this.#ajv.compile(JSON.parse(text) as Schema);
      compiled.set(text, validate);
    }
    return validate;
  }

  #contractOf(schemas: Schemas) {
    let contract = this.#contracts.get(schemas);
    if (contract === undefined) {
      contract = { id: `contract-${++this.#count}`, compiled: new Map() };
      this.#ajv.addSchema({ $id: contract.id, components: { schemas } });
      this.#contracts.set(schemas, contract);
    }
    return contract;
  }
}

const texts = new Compiler(ajv);
const values = new Compiler(strict);

/** Whether a text, as in a path or a query, satisfies the schema. */
export function acceptsText(schema: Schema, schemas: Schemas): (text: string) => boolean {
  const validate = texts.compile(schema, schemas);
  return (text) => validate(text) === true;
}

/** Violations of the schema in the value; empty when valid. */
export function faultsOf(value: unknown, schema: Schema, schemas: Schemas): unknown[] {
  const validate = values.compile(schema, schemas);
  return validate(value) ? [] : (validate.errors ?? []);
}

export const typesOf = ({ type }: Schema): string[] => [type ?? []].flat();
