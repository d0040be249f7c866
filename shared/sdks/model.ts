// What the SDKs of every language are written from: the contract's operations and types, with every type named.

export type Type =
  | { kind: 'string' | 'integer' | 'number' | 'boolean' | 'any' | 'bytes' }
  | { kind: 'named'; name: string }
  | { kind: 'list'; of: Value }
  | { kind: 'map'; of: Value };

export interface Value {
  type: Type;
  isNullable: boolean;
}

export interface Property extends Value {
  name: string;
  isRequired: boolean;
  description: string;
}

export type Definition = { name: string; description: string } & (
  | { kind: 'object'; properties: Property[] }
  | { kind: 'enum'; values: string[] }
  | { kind: 'union'; discriminator: string; members: Record<string, string> }
  | { kind: 'alias'; value: Value }
);

export interface Parameter extends Property {
  place: 'path' | 'query' | 'header';
}

export interface OperationModel {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  parameters: Parameter[];
  body: { value: Value; contentType: string; isRequired: boolean } | undefined;
  result: { value: Value; contentType: string } | undefined;
  /** The type of a page's entries, for lists. */
  entry: Value | undefined;
  isPublic: boolean;
  isIdempotent: boolean;
}

export interface Model {
  version: string;
  definitions: Definition[];
  operations: OperationModel[];
}

type Schema = Record<string, unknown> & {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  additionalProperties?: boolean | Schema;
  discriminator?: { propertyName: string; mapping?: Record<string, string> };
};

interface Media {
  schema?: Schema;
}

interface RawOperation {
  operationId?: string;
  summary?: string;
  description?: string;
  parameters?: unknown[];
  requestBody?: unknown;
  responses: Record<string, unknown>;
  security?: unknown[];
}

const methods = ['get', 'put', 'post', 'patch', 'delete'] as const;

export function modelOf(document: Record<string, unknown>): Model {
  return new ModelBuilder(document).build();
}

class ModelBuilder {
  readonly #document: Record<string, unknown>;
  readonly #schemas: Record<string, Schema>;
  readonly #definitions = new Map<string, Definition>();

  constructor(document: Record<string, unknown>) {
    this.#document = document;
    this.#schemas = (document['components'] as { schemas: Record<string, Schema> }).schemas;
  }

  build(): Model {
    const paths = this.#document['paths'] as Record<string, Record<string, unknown>>;
    for (const [name, schema] of Object.entries(this.#schemas)) this.#define(name, schema);
    const operations = Object.entries(paths).flatMap(([path, item]) =>
      methods.flatMap((method) => {
        const raw = item[method] as RawOperation | undefined;
        return raw?.operationId === undefined
          ? []
          : [this.#operation(path, method, raw, raw.operationId, (item['parameters'] ?? []) as unknown[])];
      }),
    );
    const { version } = this.#document['info'] as { version: string };
    return { version, definitions: [...this.#definitions.values()], operations };
  }

  #resolve<Kind>(value: unknown): Kind {
    const { $ref } = (value ?? {}) as { $ref?: string };
    if ($ref === undefined) return value as Kind;
    const target = $ref
      .slice(2)
      .split('/')
      .reduce<unknown>(
        (node, key) => (node as Record<string, unknown>)[key.replaceAll('~1', '/')],
        this.#document,
      );
    return this.#resolve(target);
  }

  #operation(path: string, method: string, raw: RawOperation, id: string, shared: unknown[]): OperationModel {
    const parameters = [...shared, ...(raw.parameters ?? [])].flatMap((each) => {
      const {
        name,
        in: place,
        required,
        description,
        schema,
      } = this.#resolve<{
        name: string;
        in: Parameter['place'] | 'cookie';
        required?: boolean;
        description?: string;
        schema: Schema;
      }>(each);
      if (place === 'cookie') return [];
      const value = this.#value(schema, `${pascal(id)}${pascal(name)}`);
      return [{ name, place, isRequired: required === true, description: description ?? '', ...value }];
    });
    const body = this.#resolve<{ required?: boolean; content?: Record<string, Media> } | undefined>(
      raw.requestBody,
    );
    const [status, response] = Object.entries(raw.responses).find(([code]) => code.startsWith('2')) ?? [
      '200',
    ];
    const { content } = this.#resolve<{ content?: Record<string, Media> } | undefined>(response) ?? {};
    const request = this.#media(body?.content, `${pascal(id)}Body`);
    const result = status === '204' ? undefined : this.#media(content, `${pascal(id)}Result`);
    return {
      id,
      method: method.toUpperCase(),
      path,
      summary: raw.summary ?? '',
      description: raw.description ?? '',
      parameters,
      body: request === undefined ? undefined : { ...request, isRequired: body?.required === true },
      result,
      entry: parameters.some(({ name }) => name === 'cursor') ? this.#entry(result?.value.type) : undefined,
      isPublic: raw.security?.length === 0,
      isIdempotent: parameters.some(({ name }) => name === 'Idempotency-Key'),
    };
  }

  #entry(type: Type | undefined): Value | undefined {
    const page = type?.kind === 'named' ? this.#definitions.get(type.name) : undefined;
    if (page?.kind !== 'object' || !page.properties.some(({ name }) => name === 'next_cursor'))
      return undefined;
    const data = page.properties.find(({ name }) => name === 'data')?.type;
    return data?.kind === 'list' ? data.of : undefined;
  }

  #media(content: Record<string, Media> | undefined, name: string) {
    const entries = Object.entries(content ?? {});
    const [contentType, media] = entries.find(([type]) => type === 'application/json') ?? entries[0] ?? [];
    if (contentType === undefined || media === undefined) return undefined;
    const isJson = /[/+]json$/.test(contentType);
    const value: Value = isJson
      ? this.#value(media.schema ?? {}, name)
      : { type: { kind: 'bytes' }, isNullable: false };
    return { value, contentType };
  }

  #define(name: string, schema: Schema): Definition {
    const known = this.#definitions.get(name);
    if (known !== undefined) return known;
    const description = schema.description ?? '';
    // Holds the place, for schemas that contain themselves.
    const placeholder: Definition = { name, description, kind: 'object', properties: [] };
    this.#definitions.set(name, placeholder);
    const definition = this.#definition(name, schema, description);
    this.#definitions.set(name, definition);
    return definition;
  }

  #definition(name: string, schema: Schema, description: string): Definition {
    if (schema.enum?.every((value) => typeof value === 'string') === true)
      return { name, description, kind: 'enum', values: schema.enum };
    if (schema.discriminator !== undefined && schema.oneOf !== undefined) {
      const { propertyName, mapping = {} } = schema.discriminator;
      const members = Object.fromEntries(
        Object.entries(mapping).map(([value, ref]) => [value, ref.replace(/^.*\//, '')]),
      );
      return { name, description, kind: 'union', discriminator: propertyName, members };
    }
    const merged = this.#merged(schema);
    if (merged !== undefined)
      return { name, description, kind: 'object', properties: this.#properties(name, merged) };
    return {
      name,
      description,
      kind: 'alias',
      value: { ...this.#value({ ...schema }, name, true), isNullable: false },
    };
  }

  /** The object that a schema describes, if it lists properties, itself or in several parts. */
  #merged(schema: Schema): { properties: Record<string, Schema>; required: string[] } | undefined {
    const parts = (schema.allOf ?? []).map((part) => this.#merged(this.#resolve<Schema>(part)));
    const withProperties = [...parts, schema.properties === undefined ? undefined : (schema as never)].filter(
      (part): part is { properties: Record<string, Schema>; required: string[] } => part !== undefined,
    );
    if (withProperties.length === 0) return undefined;
    return {
      properties: Object.assign({}, ...withProperties.map(({ properties }) => properties)) as Record<
        string,
        Schema
      >,
      required: [...withProperties, { required: schema.required ?? [] }].flatMap(
        ({ required }) => required ?? [],
      ),
    };
  }

  #properties(
    owner: string,
    { properties, required }: { properties: Record<string, Schema>; required: string[] },
  ): Property[] {
    return Object.entries(properties).map(([name, schema]) => ({
      name,
      isRequired: required.includes(name),
      description: schema.description ?? '',
      ...this.#value(schema, `${owner}${pascal(name)}`),
    }));
  }

  /** The type of a schema; an object or enum written in place gets `name`. */
  #value(schema: Schema, name: string, isOwn = false): Value {
    if (schema.$ref !== undefined) {
      const target = schema.$ref.replace(/^.*\//, '');
      return { ...named(target), isNullable: this.#isNullable(target) };
    }
    const alternatives = schema.oneOf ?? schema.anyOf;
    if (alternatives !== undefined && schema.discriminator === undefined) {
      const others = alternatives.filter((each) => each.type !== 'null');
      const isNullable = others.length < alternatives.length;
      const [only] = others;
      if (others.length !== 1 || only === undefined) return { type: { kind: 'any' }, isNullable };
      return { ...this.#value(only, name), isNullable };
    }
    const reference =
      schema.properties === undefined ? schema.allOf?.find(({ $ref }) => $ref !== undefined) : undefined;
    if (
      reference !== undefined &&
      schema.allOf?.every(
        (part) => part === reference || (part.properties === undefined && part.$ref === undefined),
      )
    )
      return this.#value(reference, name);
    const types = [schema.type ?? []].flat();
    const isNullable = types.includes('null') || (schema.enum?.includes(null) ?? false);
    const kinds = types.filter((type) => type !== 'null');
    return { type: this.#type(schema, kinds, name, isOwn), isNullable };
  }

  #type(schema: Schema, kinds: string[], name: string, isOwn: boolean): Type {
    const values = schema.enum?.filter((value) => value !== null);
    if (values?.every((value) => typeof value === 'string') === true && values.length > 0 && !isOwn)
      return this.#inline(name, { ...schema, enum: values, type: 'string' });
    if (!isOwn && this.#merged(schema) !== undefined) return this.#inline(name, schema);
    if (schema.const !== undefined) return { kind: typeof schema.const === 'string' ? 'string' : 'any' };
    const [kind] = kinds;
    if (kinds.length !== 1 || kind === undefined) return { kind: 'any' };
    if (kind === 'array') return { kind: 'list', of: this.#value(schema.items ?? {}, `${name}Item`) };
    if (kind === 'object') {
      const { additionalProperties: others } = schema;
      if (typeof others === 'object') return { kind: 'map', of: this.#value(others, `${name}Value`) };
      return { kind: 'map', of: { type: { kind: 'any' }, isNullable: false } };
    }
    if (kind === 'string') return { kind: schema['format'] === 'binary' ? 'bytes' : 'string' };
    if (kind === 'integer' || kind === 'number' || kind === 'boolean') return { kind };
    return { kind: 'any' };
  }

  #inline(wanted: string, schema: Schema): Type {
    let name = wanted;
    for (let count = 2; this.#schemas[name] !== undefined || this.#isTaken(name, schema); count++)
      name = `${wanted}${count}`;
    this.#inlined.set(name, schema);
    this.#define(name, schema);
    return { kind: 'named', name };
  }

  /** Whether a simple type, such as a description, may be null wherever it is used. */
  #isNullable(name: string): boolean {
    const { type, enum: values } = this.#schemas[name] ?? {};
    return (Array.isArray(type) && type.includes('null')) || values?.includes(null) === true;
  }

  readonly #inlined = new Map<string, Schema>();

  #isTaken(name: string, schema: Schema): boolean {
    const former = this.#inlined.get(name);
    return former !== undefined && JSON.stringify(former) !== JSON.stringify(schema);
  }
}

const named = (name: string): Value => ({ type: { kind: 'named', name }, isNullable: false });

/** `host_id` → `HostId`, `If-Match` → `IfMatch`. */
export const pascal = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** `startInstance` → `start_instance`, `Idempotency-Key` → `idempotency_key`. */
export const snake = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase();

/** The first paragraph, on one line: enough for a comment. */
export const brief = (text: string): string => (text.split(/\n\s*\n/)[0] ?? '').replace(/\s+/g, ' ').trim();
