// Reads a bundled OpenAPI document into the list of its operations.
import { readFileSync } from 'node:fs';
import {
  operationsIn,
  resolved,
  type FoundOperation,
  type Method,
  type OperationObject as SharedOperationObject,
  type Parameter,
  type RequestBody,
  type Response,
} from '../../shared/openapi/document.ts';
import { typesOf, type Schema } from '../../shared/openapi/schema.ts';
import { deprecationOf, type Deprecation } from './deprecation.ts';

export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

/** What the router needs to know about an operation. */
export interface Operation {
  id: string;
  method: Method;
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

export interface OperationObject extends SharedOperationObject {
  operationId: string;
  tags: readonly string[];
  security: readonly SecurityRequirement[];
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
  'x-deprecated-on'?: string;
  'x-sunset'?: string;
  'x-successor'?: string;
  /** Permissions beyond those of `security`, by the value of the parameter. */
  'x-also-needs'?: Readonly<Record<string, readonly string[]>>;
}

export interface NumberParameter {
  name: string;
  in: 'query' | 'path';
  isInteger: boolean;
}

type PathItem = Partial<Record<Operation['method'], OperationObject>> & Pick<OperationObject, 'parameters'>;

/** A bundled document. Only the parts that this server reads are typed. */
export interface Document {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, PathItem>;
  components: {
    securitySchemes?: Record<string, unknown>;
  } & Record<string, unknown>;
}

export function readDocument(path: string): Document {
  return JSON.parse(readFileSync(path, 'utf8')) as Document;
}

/** Every operation of the document. Throws if an operation breaks a rule of the contract, which prevents startup. */
export function operationsOf(document: Document): Operation[] {
  const found = operationsIn<OperationObject>(document);
  const ids = new Set(found.map(({ operation }) => operation.operationId));
  return found.map((each) => readOperation(document, each, ids));
}

function readOperation(
  document: Document,
  { path, method, operation }: FoundOperation<OperationObject>,
  ids: ReadonlySet<string>,
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
  const requiresStepUp = operation['x-step-up'] === true;
  if (requiresStepUp && security.length === 0)
    throw new Error(`${id} requires a step-up, so it needs a security scheme`);
  const { parameters } = operation;
  const body = operation.requestBody && resolved<RequestBody>(document, operation.requestBody);
  const success = resolved<Response>(document, operation.responses[status] ?? {});
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
    bodyTypes: Object.keys(body?.content ?? {}),
    partNames: partNamesOf(document, body),
    requiresBody: body?.required === true,
    takesIdempotencyKey: parameters.some(({ name }) => name === 'Idempotency-Key'),
    offersCsv: success.content?.['text/csv'] !== undefined,
    bodyLimit: operation['x-body-limit'],
    keepsRawBody: operation['x-raw-body'] === true,
    requiresStepUp,
    isSameOrigin: operation['x-same-origin'] === true,
    takesCookies: parameters.some(({ in: place }) => place === 'cookie'),
    credentialField: operation['x-credential-field'],
    checksummedField: operation['x-checksummed-field'],
    problemCodes: operation['x-problem-codes'] ?? [],
    numbers: numbersAmong(document, parameters),
    rateLimit: operation['x-rate-limit'] ?? 'general',
    deprecation: deprecationOf(operation, ids),
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

function valuesOf(document: Document, parameters: readonly Parameter[], wanted: string): string[] {
  const found = parameters.find(({ name, in: place }) => place === 'path' && name === wanted);
  const { enum: values = [] } = resolved<Schema>(document, found?.schema ?? {});
  if (values.length === 0) throw new Error(`the path parameter ${wanted} has no values`);
  return values as string[];
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

function numbersAmong(document: Document, parameters: readonly Parameter[]): NumberParameter[] {
  return parameters.flatMap(({ name, in: place, schema }) => {
    const type = typeOf(document, schema);
    return (place === 'query' || place === 'path') && (type === 'integer' || type === 'number')
      ? [{ name, in: place, isInteger: type === 'integer' }]
      : [];
  });
}

/** The type of the value, or of the items if the schema is an array. */
function typeOf(document: Document, schema: Schema = {}): string | undefined {
  const found = resolved<Schema>(document, schema);
  const [only] = found.allOf ?? [];
  const inner = found.type === 'array' ? found.items : found.type === undefined ? only : undefined;
  return inner === undefined ? typesOf(found)[0] : typeOf(document, inner);
}

function partNamesOf(document: Document, body: RequestBody | undefined): string[] {
  const schema = body?.content?.['multipart/form-data']?.schema ?? {};
  return Object.keys(resolved<Schema>(document, schema).properties ?? {});
}
