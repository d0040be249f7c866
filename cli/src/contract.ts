// The platform's published contract as this program sees it: operations by name, with their references resolved.
import {
  nameIn,
  operationsIn,
  preferredMedia,
  resolved,
  successOf,
  type FoundOperation,
  type OperationObject,
  type Parameter,
  type RequestBody,
  type Response,
} from '../../shared/openapi/document.ts';
import { problemsOf, splitDescription, type Conditions } from '../../shared/openapi/problem-conditions.ts';
import { isPage, mergedSchema, withoutNull, type Schema } from '../../shared/openapi/schema.ts';

export type { Schema } from '../../shared/openapi/schema.ts';

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
  /** Without the conditions of problems. */
  description: string;
  fields: Field[];
  /** The content type of the request's body, if there is one. */
  bodyType: string | undefined;
  bodySchema: Schema | undefined;
  isBodyRequired: boolean;
  /** Alternatives: scheme names with the permissions that each needs. */
  security: NonNullable<OperationObject['security']>;
  /** The codes of the problems that it can return, with the condition of each. */
  problems: Conditions;
  isIdempotent: boolean;
  needsStepUp: boolean;
  isDestructive: boolean;
  /** The status, content type and schema of success. */
  success: { status: number; type: string | undefined; schema: Schema | undefined };
  /** Names of the schemas that a successful response holds: its own, then those of its properties. */
  resultNames: { property: string | undefined; name: string }[];
  isList: boolean;
  /** Whether the response has no end. */
  isStream: boolean;
}

export interface SecurityScheme {
  type: string;
  in?: string;
  name?: string;
  scheme?: string;
}

export interface OpenApiDocument {
  info: { title: string; version: string };
  security?: OperationObject['security'];
  paths: Record<string, Record<string, unknown>>;
  components: { securitySchemes?: Record<string, SecurityScheme> } & Record<string, unknown>;
}

export class Contract {
  readonly document: OpenApiDocument;
  readonly operations: ReadonlyMap<string, Operation>;

  constructor(document: OpenApiDocument) {
    this.document = document;
    const operations = operationsIn(document)
      .filter(({ operation }) => operation.operationId !== undefined)
      .map((found) => this.#operation(found));
    this.operations = new Map(operations.map((operation) => [operation.id, operation]));
  }

  get version(): string {
    return this.document.info.version;
  }

  /** The schema with the properties of everything in its `allOf`. */
  merged(schema: Schema | undefined): Schema {
    return mergedSchema(this.document, schema);
  }

  /** The other than `null` alternative of a nullable schema; otherwise the schema. */
  withoutNull(schema: Schema | undefined): Schema {
    return withoutNull(this.document, schema);
  }

  #operation({ path, method, operation }: FoundOperation<OperationObject>): Operation {
    const { operationId: id = '' } = operation;
    const body = resolved<RequestBody>(this.document, operation.requestBody ?? {});
    const { type: bodyType, media } = preferredMedia(body.content) ?? {};
    const bodySchema = media?.schema && this.merged(media.schema);
    const { status = '200', response = {} } = successOf(this.document, operation) ?? {};
    const success = this.#success(status, response);
    const parameters = operation.parameters.flatMap((parameter) => this.#parameter(parameter));
    const fields = [...parameters, ...this.#bodyFields(bodySchema)];
    const security = operation.security ?? this.document.security ?? [];
    const problems = problemsOf(this.document, operation);
    const needsStepUp = problems.has('step_up_required');
    return {
      id,
      method: method.toUpperCase(),
      path,
      tag: operation.tags?.[0] ?? '',
      summary: operation.summary ?? '',
      description: splitDescription(operation.description ?? '').text,
      fields,
      bodyType,
      bodySchema,
      isBodyRequired: body.required === true,
      security,
      problems,
      isIdempotent: fields.some(({ name, place }) => place === 'header' && name === 'Idempotency-Key'),
      needsStepUp,
      isDestructive: method !== 'get' && (method === 'delete' || needsStepUp || destructiveVerbs.test(id)),
      success,
      resultNames: this.#resultNames(response),
      isList: parameters.some(({ name }) => name === 'cursor') && isPage(success.schema ?? {}),
      isStream: success.type === 'text/event-stream',
    };
  }

  #parameter({ name, in: place, required = false, description = '', schema }: Parameter): Field[] {
    if (place === 'cookie') return [];
    return [{ name, place, isRequired: required, schema: this.merged(schema), description }];
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

  #success(status: string, { content }: Response): Operation['success'] {
    const { type, media } = preferredMedia(content) ?? {};
    return { status: Number(status), type, schema: media?.schema && this.merged(media.schema) };
  }

  #resultNames({ content }: Response): Operation['resultNames'] {
    const schema = content?.['application/json']?.schema;
    const own = nameIn(schema);
    const properties = Object.entries(this.merged(schema).properties ?? {}).flatMap(([property, value]) => {
      const name = [value, ...(value.oneOf ?? [])].map(nameIn).find(Boolean);
      return name === undefined ? [] : [{ property, name }];
    });
    return [...(own === undefined ? [] : [{ property: undefined, name: own }]), ...properties];
  }
}

/** Verbs of changes that cannot be undone, that end what players are doing, or that run what the caller writes. */
const destructiveVerbs =
  /^(apply|ban|cancel|delete|deploy|disconnect|extract|import|kick|kill|remove|replace|reset|restart|restore|revoke|rotate|run|stop|terminate|uninstall|unload|wipe|write)/;
