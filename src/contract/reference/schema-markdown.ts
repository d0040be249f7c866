// Describes a schema as a nested list of fields in Markdown.
import { limitsOf } from '../../../shared/openapi/limits.ts';
import type { Schema } from '../../../shared/openapi/schema.ts';
import type { Catalogue, Parameter } from './catalogue.ts';

/** Deeper fields are named by their schema only. */
const maxDepth = 5;

type Schemas = Catalogue['schemas'];

/** The fields of the schema, one line each; empty for a schema without fields. */
export function fieldsOf(schema: Schema, schemas: Schemas): string {
  return new FieldList(schemas).fields(schema, 0, []).join('\n');
}

/** The type of a value and its limits, in words. */
export function typeOf(schema: Schema | undefined, schemas: Schemas): string {
  return schema === undefined ? 'any' : new FieldList(schemas).type(schema);
}

/** A parameter as one line: where it stands, its type, its limits, its description and its values. */
export function parameterLine(
  { name, in: place, required, description, schema = {} }: Parameter,
  schemas: Schemas,
): string {
  const words = [place, typeOf(schema, schemas), ...(required === true ? ['required'] : [])];
  const described = description === undefined ? schema : { ...schema, description };
  return new FieldList(schemas).line(name, described, words);
}

class FieldList {
  readonly #schemas: Schemas;

  constructor(schemas: Schemas) {
    this.#schemas = schemas;
  }

  fields(given: Schema, depth: number, above: readonly string[]): string[] {
    const name = nameOf(given);
    if (name !== undefined && above.includes(name)) return [];
    const path = name === undefined ? above : [...above, name];
    const schema = this.#resolved(given);
    if (depth >= maxDepth) return [];
    if (schema.items !== undefined) return this.fields(schema.items, depth, path);
    const choices = (schema.oneOf ?? schema.anyOf ?? []).filter((choice) => !isNull(choice));
    if (choices.length === 1 && choices[0] !== undefined) return this.fields(choices[0], depth, path);
    if (choices.length > 1) return this.#choices(choices, depth, path);
    const parts = (schema.allOf ?? []).flatMap((part) => this.fields(part, depth, path));
    const own = Object.entries(schema.properties ?? {}).flatMap(([property, value]) =>
      this.#field(property, value, { isRequired: schema.required?.includes(property) === true, depth, path }),
    );
    const others =
      typeof schema.additionalProperties === 'object'
        ? this.#field('*', schema.additionalProperties, { isRequired: false, depth, path })
        : [];
    return [...parts, ...own, ...others];
  }

  type(given: Schema): string {
    const schema = this.#resolved(given);
    const choices = schema.oneOf ?? schema.anyOf;
    if (choices !== undefined) {
      const types = [...new Set(choices.map((choice) => (isNull(choice) ? 'null' : this.type(choice))))];
      return types.join(' or ');
    }
    if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
    const [only] = schema.allOf ?? [];
    if (schema.type === undefined && only !== undefined) return this.type(only);
    const types = [schema.type ?? 'any'].flat();
    const words = types.map((type) =>
      type === 'array'
        ? `array of ${this.type(schema.items ?? {})}`
        : type === 'object'
          ? (titleOf(given) ?? type)
          : type,
    );
    const format = schema.format === undefined ? '' : ` (${schema.format})`;
    return `${words.join(' or ')}${format}`;
  }

  line(name: string, given: Schema, words: readonly string[]): string {
    const schema = this.#withParts(given);
    const description = oneLine(schema.description ?? '');
    const facts = [...words, ...limitsOf(schema, (json) => `\`${json}\``)].join(', ');
    return `- \`${name}\` — ${facts}.${description === '' ? '' : ` ${description}`}${valuesOf(schema)}`;
  }

  #choices(choices: Schema[], depth: number, path: readonly string[]): string[] {
    return choices.flatMap((choice) => [
      `${indent(depth)}- One of: **${titleOf(choice) ?? this.type(choice)}**`,
      ...this.fields(choice, depth + 1, path),
    ]);
  }

  #field(
    name: string,
    given: Schema,
    { isRequired, depth, path }: { isRequired: boolean; depth: number; path: readonly string[] },
  ): string[] {
    const words = [this.type(given), ...(isRequired ? ['required'] : [])];
    return [`${indent(depth)}${this.line(name, given, words)}`, ...this.fields(given, depth + 1, path)];
  }

  /** The schema with the limits of everything in its `allOf`. */
  #withParts(given: Schema): Schema {
    const schema = this.#resolved(given);
    const parts = schema.allOf?.map((part) => this.#withParts(part)) ?? [];
    return Object.assign({}, ...parts, schema) as Schema;
  }

  #resolved(schema: Schema): Schema {
    const name = nameOf(schema);
    if (name === undefined) return schema;
    const { $ref: _, ...rest } = schema;
    return { ...this.#resolved(this.#schemas[name] ?? {}), ...rest };
  }
}

const indent = (depth: number) => '  '.repeat(depth);

const nameOf = ({ $ref }: Schema) => $ref?.split('/').at(-1);

const titleOf = (schema: Schema) => nameOf(schema) ?? schema.title;

const isNull = ({ type }: Schema) => type === 'null';

export const oneLine = (text: string) => text.trim().replace(/\s*\n\s*/g, ' ');

/** The values of an enum, each with its description if it has one. */
function valuesOf(schema: Schema): string {
  const values = schema.enum ?? schema.items?.enum;
  if (values === undefined) return '';
  const descriptions = schema['x-enum-descriptions'];
  const words = values.map((value, index) => {
    const description = descriptions?.[index];
    const text = `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
    return description === undefined || description === ''
      ? text
      : `${text} (${oneLine(description).replace(/\.$/, '')})`;
  });
  return ` Values: ${words.join(', ')}.`;
}
