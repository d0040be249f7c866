// Reads a bundled OpenAPI document into the list of its operations.
import { readFileSync } from 'node:fs';
import { deprecationOf, type Deprecation } from './deprecation.ts';

export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

/** What the router needs to know about an operation. */
export interface Operation {
  id: string;
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  path: string;
  /** Operations of one validator share their schemas: those of a tag, unless the contract separates them. */
  validator: string;
  /** The variant that a path parameter has selected. */
  variant: Variant | undefined;
  /** For operations whose schemas and permissions depend on a path parameter: the operation for each of its values. */
  variants: OperationVariants | undefined;
  status: number;
  security: readonly SecurityRequirement[];
  /** Whether the owner of a revoked license may call it. */
  allowsRevoked: boolean;
  /** Media types that its body may have; empty if it takes no body. */
  bodyTypes: readonly string[];
  /** Names of the parts of a multipart body; empty for other bodies. */
  partNames: readonly string[];
  requiresBody: boolean;
  takesIdempotencyKey: boolean;
  takesCookies: boolean;
  /** Whether its success response can be CSV instead of JSON. */
  offersCsv: boolean;
  /** Maximum bytes of its body, if not the usual limit. */
  bodyLimit: number | undefined;
  /** Whether its handler needs the raw bytes of the body, for example to check a signature. */
  keepsRawBody: boolean;
  /** Whether a signed-in user must have confirmed their identity shortly before (step-up). */
  requiresStepUp: boolean;
  /** Whether it refuses browsers that send it for a page of another origin, because it acts on a cookie. */
  isSameOrigin: boolean;
  /** The body field that can carry the credential instead of a header. */
  credentialField: string | undefined;
  /** The body field that carries a checksum of its own content. */
  checksummedField: string | undefined;
  problemCodes: readonly string[];
  /** Numeric parameters of the query and the path. Their text must have the form of a JSON number. */
  numbers: readonly NumberParameter[];
  /** The rate-limit class that counts its requests. */
  rateLimit: string;
  /** Undefined unless the contract deprecates it. */
  deprecation: Deprecation | undefined;
}

/** A value of a path parameter that selects one schema of each union with a discriminator of the same name. */
export interface Variant {
  parameter: string;
  value: string;
}

export interface OperationVariants {
  parameter: string;
  byValue: ReadonlyMap<string, Operation>;
}

interface OperationObject {
  operationId: string;
  tags: string[];
  security: SecurityRequirement[];
  parameters?: (ParameterObject | { $ref: string })[];
  requestBody?: { required?: boolean; content: Record<string, { schema?: PartsSchema }> };
  responses: Record<string, { content?: Record<string, unknown> }>;
  'x-allow-revoked'?: boolean;
  'x-problem-codes'?: string[];
  'x-rate-limit'?: string;
  'x-body-limit'?: number;
  'x-raw-body'?: boolean;
  'x-step-up'?: boolean;
  'x-same-origin'?: boolean;
  'x-credential-field'?: string;
  'x-checksummed-field'?: string;
  'x-validator'?: string;
  'x-variant-parameter'?: string;
  deprecated?: boolean;
  'x-deprecated-on'?: string;
  'x-sunset'?: string;
  /** Permissions beyond those of `security`, by the value of the parameter. */
  'x-also-needs'?: Readonly<Record<string, readonly string[]>>;
}

export interface NumberParameter {
  name: string;
  in: 'query' | 'path';
  isInteger: boolean;
}

interface ParameterSchema {
  $ref?: string;
  enum?: readonly string[];
  type?: string | string[];
  items?: ParameterSchema;
  allOf?: ParameterSchema[];
}

interface PartsSchema {
  $ref?: string;
  properties?: object;
}

interface ParameterObject {
  name: string;
  in: string;
  schema?: ParameterSchema;
}

type PathItem = Partial<Record<Operation['method'], OperationObject>> & Pick<OperationObject, 'parameters'>;

/** A bundled document. Only the parts that this server reads are typed. */
export interface Document {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, PathItem>;
  components: {
    parameters?: Record<string, ParameterObject>;
    securitySchemes?: Record<string, unknown>;
  } & Record<string, unknown>;
}

export const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

export function readDocument(path: string): Document {
  return JSON.parse(readFileSync(path, 'utf8')) as Document;
}

/** Every operation of the document. Throws if an operation breaks a rule of the contract, which prevents startup. */
export function operationsOf(document: Document): Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      if (operation === undefined) return [];
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])];
      return [readOperation(document, path, method, { ...operation, parameters })];
    }),
  );
}

function readOperation(
  document: Document,
  path: string,
  method: Operation['method'],
  operation: OperationObject,
): Operation {
  const { operationId: id, security } = operation;
  const [tag, ...otherTags] = operation.tags;
  const [status, ...otherStatuses] = Object.keys(operation.responses).filter((code) => /^2\d\d$/.test(code));
  if (tag === undefined || otherTags.length > 0) throw new Error(`${id} needs exactly one tag`);
  if (status === undefined || otherStatuses.length > 0)
    throw new Error(`${id} needs exactly one 2xx response`);
  if (!Array.isArray(security)) throw new Error(`${id} does not state its security`);
  const allowsRevoked = operation['x-allow-revoked'] === true;
  if (allowsRevoked && !asksForPermissions(security))
    throw new Error(`${id} is for revoked licenses too, so it needs a permission`);
  const parameters = (operation.parameters ?? []).map((parameter) => resolved(document, parameter));
  const base: Operation = {
    id,
    method,
    path,
    validator: operation['x-validator'] ?? tag,
    variant: undefined,
    variants: undefined,
    status: Number(status),
    security,
    allowsRevoked,
    bodyTypes: Object.keys(operation.requestBody?.content ?? {}),
    partNames: partNamesOf(document, operation),
    requiresBody: operation.requestBody?.required === true,
    takesIdempotencyKey: parameters.some(({ name }) => name === 'Idempotency-Key'),
    offersCsv: operation.responses[status]?.content?.['text/csv'] !== undefined,
    bodyLimit: operation['x-body-limit'],
    keepsRawBody: operation['x-raw-body'] === true,
    requiresStepUp: operation['x-step-up'] === true,
    isSameOrigin: operation['x-same-origin'] === true,
    takesCookies: parameters.some(({ in: place }) => place === 'cookie'),
    credentialField: operation['x-credential-field'],
    checksummedField: operation['x-checksummed-field'],
    problemCodes: operation['x-problem-codes'] ?? [],
    numbers: numbersAmong(document, parameters),
    rateLimit: operation['x-rate-limit'] ?? 'general',
    deprecation: deprecationOf(operation),
  };
  const parameter = operation['x-variant-parameter'];
  if (parameter === undefined) return base;
  const needed = operation['x-also-needs'] ?? {};
  const values = valuesOf(document, parameters, parameter);
  const unknown = Object.keys(needed).filter((value) => !values.includes(value));
  if (unknown.length > 0) throw new Error(`${id} has no ${parameter} ${unknown.join(', ')}`);
  const byValue = values.map((value) => {
    const variant = { parameter, value };
    return [value, { ...base, variant, security: withPermissions(security, needed[value] ?? []) }] as const;
  });
  return { ...base, variants: { parameter, byValue: new Map(byValue) } };
}

function valuesOf(document: Document, parameters: readonly ParameterObject[], wanted: string): string[] {
  const found = parameters.find(({ name, in: place }) => place === 'path' && name === wanted);
  const { enum: values = [] } = followed(document, found?.schema) ?? {};
  if (values.length === 0) throw new Error(`the path parameter ${wanted} has no values`);
  return [...values];
}

const withPermissions = (security: readonly SecurityRequirement[], permissions: readonly string[]) =>
  security.map((requirement) =>
    Object.fromEntries(
      Object.entries(requirement).map(([scheme, needed]) => [scheme, [...needed, ...permissions]]),
    ),
  );

/** Whether at least one security alternative requires a permission. */
export function asksForPermission({ security }: Pick<Operation, 'security'>): boolean {
  return security.some((requirement) => Object.values(requirement).some(({ length }) => length > 0));
}

/** Whether every security alternative requires a permission. */
function asksForPermissions(security: readonly SecurityRequirement[]): boolean {
  const lists = security.flatMap((requirement) => Object.values(requirement));
  return lists.length > 0 && lists.every(({ length }) => length > 0);
}

function numbersAmong(document: Document, parameters: readonly ParameterObject[]): NumberParameter[] {
  return parameters.flatMap(({ name, in: place, schema }) => {
    const type = typeOf(document, schema);
    return (place === 'query' || place === 'path') && (type === 'integer' || type === 'number')
      ? [{ name, in: place, isInteger: type === 'integer' }]
      : [];
  });
}

/** The type of the value, or of the items if the schema is an array. */
function typeOf(document: Document, schema: ParameterSchema | undefined): string | undefined {
  const found = followed(document, schema);
  if (found === undefined) return undefined;
  const [only] = found.allOf ?? [];
  const inner = found.type === 'array' ? found.items : found.type === undefined ? only : undefined;
  if (inner !== undefined) return typeOf(document, inner);
  return [found.type ?? []].flat().find((type) => type !== 'null');
}

function followed(
  { components }: Document,
  schema: ParameterSchema | undefined,
): ParameterSchema | undefined {
  const schemas = components['schemas'] as Record<string, ParameterSchema> | undefined;
  return schema?.$ref === undefined ? schema : schemas?.[schema.$ref.split('/').at(-1) ?? ''];
}

function partNamesOf({ components }: Document, { requestBody }: OperationObject): string[] {
  const schema = requestBody?.content['multipart/form-data']?.schema;
  const schemas = components['schemas'] as Record<string, PartsSchema> | undefined;
  const named = schema?.$ref === undefined ? schema : schemas?.[schema.$ref.split('/').at(-1) ?? ''];
  return Object.keys(named?.properties ?? {});
}

function resolved(document: Document, parameter: ParameterObject | { $ref: string }): ParameterObject {
  if (!('$ref' in parameter)) return parameter;
  const name = parameter.$ref.split('/').at(-1) ?? '';
  const found = document.components.parameters?.[name];
  if (found === undefined) throw new Error(`${parameter.$ref} is not in the document`);
  return found;
}
