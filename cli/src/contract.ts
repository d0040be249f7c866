// The platform's published contract as this program sees it: operations by name, with their references resolved.

export type Schema = Record<string, unknown> & {
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  required?: string[];
  enum?: unknown[];
  description?: string;
};

export type Place = 'path' | 'query' | 'header' | 'body';

/** One value that a caller of an operation can give. */
export interface Field {
  name: string;
  place: Place;
  isRequired: boolean;
  schema: Schema;
  description: string;
}

export interface Operation {
  id: string;
  method: string;
  path: string;
  tag: string;
  summary: string;
  description: string;
  fields: Field[];
  /** The content type of the request's body, if there is one. */
  bodyType: string | undefined;
  bodySchema: Schema | undefined;
  isBodyRequired: boolean;
  /** Alternatives: scheme names with the permissions that each needs. */
  security: Record<string, string[]>[];
  problemCodes: string[];
  isIdempotent: boolean;
  needsStepUp: boolean;
  isDestructive: boolean;
  /** The status, content type and schema of success. */
  success: { status: number; type: string | undefined; schema: Schema | undefined };
  /** Names of the schemas that a successful response holds: its own, then those of its properties. */
  resultNames: { property: string | undefined; name: string }[];
  isList: boolean;
}

export interface SecurityScheme {
  type: string;
  in?: string;
  name?: string;
  scheme?: string;
}

interface RawOperation {
  operationId?: string;
  tags?: string[];
  summary?: string;
  description?: string;
  parameters?: unknown[];
  requestBody?: unknown;
  responses: Record<string, unknown>;
  security?: Record<string, string[]>[];
}

export interface OpenApiDocument {
  info: { title: string; version: string };
  security?: Record<string, string[]>[];
  paths: Record<string, Record<string, unknown>>;
  components: { securitySchemes?: Record<string, SecurityScheme> } & Record<string, unknown>;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
const maxReferences = 100;

export class Contract {
  readonly document: OpenApiDocument;
  readonly operations: ReadonlyMap<string, Operation>;

  constructor(document: OpenApiDocument) {
    this.document = document;
    const operations = Object.entries(document.paths).flatMap(([path, item]) =>
      methods.flatMap((method) => {
        const operation = item[method] as RawOperation | undefined;
        if (operation?.operationId === undefined) return [];
        return [this.#operation(path, method, operation, (item['parameters'] ?? []) as unknown[])];
      }),
    );
    this.operations = new Map(operations.map((operation) => [operation.id, operation]));
  }

  get version(): string {
    return this.document.info.version;
  }

  /** The value itself, or what its reference points at. */
  resolve<Value = Schema>(value: unknown): Value {
    let current = value;
    for (let count = 0; count < maxReferences; count++) {
      const reference = (current as { $ref?: unknown } | undefined)?.$ref;
      if (typeof reference !== 'string') return current as Value;
      current = this.#target(reference);
    }
    throw new Error('The contract of the server has a circle of references.');
  }

  /** The schema with the properties of everything in its `allOf`. */
  merged(schema: unknown): Schema {
    const resolved = this.resolve(schema);
    const parts = (resolved['allOf'] as unknown[] | undefined)?.map((part) => this.merged(part)) ?? [];
    if (parts.length === 0) return resolved;
    const all = [...parts, resolved];
    return {
      ...resolved,
      type: all.find(({ type }) => type !== undefined)?.type ?? 'object',
      properties: Object.assign({}, ...all.map(({ properties }) => properties ?? {})) as Record<
        string,
        Schema
      >,
      required: all.flatMap(({ required }) => required ?? []),
    };
  }

  /** The other than `null` alternative of a nullable schema; otherwise the schema. */
  withoutNull(schema: unknown): Schema {
    const resolved = this.merged(schema);
    const alternatives = (resolved['oneOf'] ?? resolved['anyOf']) as unknown[] | undefined;
    if (alternatives === undefined) return resolved;
    const others = alternatives.map((each) => this.merged(each)).filter(({ type }) => type !== 'null');
    return others.length === 1 && others[0] !== undefined ? others[0] : resolved;
  }

  #target(reference: string): unknown {
    const steps = reference.replace(/^#\//, '').split('/');
    return steps.reduce<unknown>((node, step) => {
      const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
      return Object.hasOwn(node as object, key) ? (node as Record<string, unknown>)[key] : undefined;
    }, this.document);
  }

  #operation(path: string, method: string, raw: RawOperation, shared: unknown[]): Operation {
    const body = this.resolve<
      { required?: boolean; content?: Record<string, { schema?: unknown }> } | undefined
    >(raw.requestBody);
    const [bodyType, media] = preferred(body?.content);
    const bodySchema = media?.schema === undefined ? undefined : this.merged(media.schema);
    const success = this.#success(raw.responses);
    const parameters = this.#parameters([...shared, ...(raw.parameters ?? [])]);
    const fields = [...parameters, ...this.#bodyFields(bodySchema)];
    const security = raw.security ?? this.document.security ?? [];
    const problemCodes = this.#problemCodes(raw.responses);
    const needsStepUp = problemCodes.includes('step_up_required');
    return {
      id: raw.operationId ?? '',
      method: method.toUpperCase(),
      path,
      tag: raw.tags?.[0] ?? '',
      summary: raw.summary ?? '',
      description: raw.description ?? '',
      fields,
      bodyType,
      bodySchema,
      isBodyRequired: body?.required === true,
      security,
      problemCodes,
      isIdempotent: fields.some(({ name, place }) => place === 'header' && name === 'Idempotency-Key'),
      needsStepUp,
      isDestructive:
        method !== 'get' &&
        (method === 'delete' || needsStepUp || destructiveVerbs.test(raw.operationId ?? '')),
      success,
      resultNames: this.#resultNames(raw.responses),
      isList: parameters.some(({ name }) => name === 'cursor') && this.#isPage(success.schema),
    };
  }

  #parameters(parameters: unknown[]): Field[] {
    return parameters.flatMap((parameter) => {
      const {
        name,
        in: place,
        required = false,
        description = '',
        schema,
      } = this.resolve<{
        name: string;
        in: string;
        required?: boolean;
        description?: string;
        schema: unknown;
      }>(parameter);
      if (place !== 'path' && place !== 'query' && place !== 'header') return [];
      return [{ name, place, isRequired: required, schema: this.merged(schema), description }];
    });
  }

  #bodyFields(schema: Schema | undefined): Field[] {
    if (schema?.properties === undefined) return [];
    return Object.entries(schema.properties).map(([name, property]) => {
      const resolved = this.withoutNull(property);
      return {
        name,
        place: 'body',
        isRequired: schema.required?.includes(name) ?? false,
        schema: resolved,
        description: property.description ?? resolved.description ?? '',
      };
    });
  }

  #success(responses: Record<string, unknown>): Operation['success'] {
    const [status = '200', response] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? [];
    const { content } =
      this.resolve<{ content?: Record<string, { schema?: unknown }> } | undefined>(response) ?? {};
    const [type, media] = preferred(content);
    return {
      status: Number(status),
      type,
      schema: media?.schema === undefined ? undefined : this.merged(media.schema),
    };
  }

  /** The description of each problem response has a line for each code: `` `code`: Title. `` */
  #problemCodes(responses: Record<string, unknown>): string[] {
    return Object.values(responses).flatMap((response) => {
      const { description = '', content = {} } = this.resolve<{
        description?: string;
        content?: Record<string, unknown>;
      }>(response);
      if (content['application/problem+json'] === undefined) return [];
      return [...description.matchAll(/^`(\w+)`:/gm)].map(([, code = '']) => code);
    });
  }

  #resultNames(responses: Record<string, unknown>): Operation['resultNames'] {
    const [, response] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? [];
    const { content } =
      this.resolve<{ content?: Record<string, { schema?: unknown }> } | undefined>(response) ?? {};
    const schema = content?.['application/json']?.schema;
    const own = nameOf(schema);
    const properties = Object.entries(this.merged(schema ?? {}).properties ?? {}).flatMap(
      ([property, value]) => {
        const name = [value, ...((value['oneOf'] as unknown[] | undefined) ?? [])].map(nameOf).find(Boolean);
        return name === undefined ? [] : [{ property, name }];
      },
    );
    return [...(own === undefined ? [] : [{ property: undefined, name: own }]), ...properties];
  }

  #isPage(schema: Schema | undefined): boolean {
    return schema?.properties?.['next_cursor'] !== undefined && schema.properties['data'] !== undefined;
  }
}

/** The name of the schema that a reference points at. */
function nameOf(value: unknown): string | undefined {
  const { $ref } = (value ?? {}) as { $ref?: unknown };
  return typeof $ref === 'string' ? $ref.replace(/^.*\//, '') : undefined;
}

/** Verbs of changes that cannot be undone, that end what players are doing, or that run what the caller writes. */
const destructiveVerbs =
  /^(apply|ban|cancel|delete|deploy|disconnect|extract|import|kick|kill|remove|replace|reset|restart|restore|revoke|rotate|run|stop|terminate|uninstall|unload|wipe|write)/;

/** JSON if the operation has it, otherwise its first content type. */
function preferred<Media>(
  content: Record<string, Media> | undefined,
): [string | undefined, Media | undefined] {
  const entries = Object.entries(content ?? {});
  const [type, media] = entries.find(([name]) => name === 'application/json') ?? entries[0] ?? [];
  return [type, media];
}
