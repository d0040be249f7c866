// The platform's contract as tests read it: every operation with its parameters, its bodies and its examples.
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  operationsIn,
  resolved,
  type FoundOperation,
  type MediaType,
  type OperationObject as OpenApiOperation,
  type RequestBody,
  type Response,
} from '../../shared/openapi/document.ts';
import { acceptsText, faultsOf, follow, placesOf, type Place, type Schema } from './schemas.ts';
import type { Method } from './world.ts';

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required?: boolean;
  schema: Schema;
  description?: string;
  example?: unknown;
}

/** A request body in one media type. */
export interface Body {
  type: string;
  schema: Schema;
  examples: unknown[];
}

/** One of the ways to authenticate; any of an operation's is enough. */
export interface Alternative {
  scheme: string;
  /** The permissions that the caller needs, all of them. */
  permissions: string[];
}

export interface ContractOperation {
  id: string;
  method: Method;
  path: string;
  /** The file of `openapi/paths` that declares it. */
  area: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters: Parameter[];
  /** undefined for an operation without a body; otherwise one for each media type. */
  body: { required: boolean; types: Body[] } | undefined;
  /** Maximum bytes of a JSON body. */
  bodyLimit: number;
  /** Every body that it returns. */
  replies: Body[];
  problemCodes: string[] | undefined;
  /** The rate-limit class of its requests; undefined for the general one. */
  rateLimit: string | undefined;
  /** Whether users need a recent step-up. */
  requiresStepUp: boolean;
}

type Content = Record<string, MediaType>;

interface OperationObject extends OpenApiOperation {
  operationId: string;
  tags: string[];
  security: Record<string, string[]>[];
  'x-problem-codes'?: string[];
  'x-rate-limit'?: string;
  'x-body-limit'?: number;
  'x-step-up'?: boolean;
}

type PathItem = Partial<Record<Method, OperationObject>>;

export interface ContractDocument {
  tags: { name: string }[];
  'x-tagGroups': { name: string; tags: string[] }[];
  paths: Record<string, PathItem>;
  webhooks: Record<string, { post: OperationObject }>;
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, unknown> };
}

const mebibyte = 1024 * 1024;

export const root = resolve(import.meta.dirname, '../..');

export const contract = JSON.parse(
  readFileSync(resolve(root, 'generated/platform.openapi.json'), 'utf8'),
) as ContractDocument;

const { schemas } = contract.components;

/** The areas of the contract: the files of `openapi/paths`. */
export const areas = globSync('openapi/paths/*.yaml', { cwd: root })
  .map((file) => file.replace(/^.*\/|\.yaml$/g, ''))
  .sort();

const areaById = new Map(
  areas.flatMap((area) => {
    const text = readFileSync(resolve(root, `openapi/paths/${area}.yaml`), 'utf8');
    return [...text.matchAll(/^ +operationId: (\w+)$/gm)].map(([, id = '']) => [id, area] as const);
  }),
);

function areaOf(id: string): string {
  const area = areaById.get(id);
  if (area === undefined) throw new Error(`no file of openapi/paths declares ${id}`);
  return area;
}

export const operations: ContractOperation[] = operationsIn<OperationObject>(contract).map(readOperation);

/** Violations of the contract in an event that the API or a webhook has given; empty when valid. */
export const errorsOfEvent = (event: { type: string; data?: unknown }): unknown[] =>
  errorsOfEvents(event.type, [event]);

/** Violations of the contract in events of one type. */
export function errorsOfEvents(type: string, events: { data?: unknown }[]): unknown[] {
  const errorsIn = (items: Schema, values: unknown[]) => faultsOf(values, { type: 'array', items }, schemas);
  if (type === 'test') return errorsIn({ $ref: '#/components/schemas/TestEvent' }, events);
  const data = schemas['EventData']?.properties?.[type];
  if (data === undefined) return [`the contract has no event ${type}`];
  const values = events.map((event) => event.data);
  return [...errorsIn({ $ref: '#/components/schemas/Event' }, events), ...errorsIn(data, values)];
}

/** The values of an enum among the contract's schemas. */
export function enumOf(schema: string): string[] {
  const values = schemas[schema]?.enum;
  if (values === undefined) throw new Error(`the contract has no enum ${schema}`);
  return values as string[];
}

/** The parameters within the operation's path, in the order of the path. */
export function pathParametersOf({ id, path, parameters }: ContractOperation): Parameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, wanted]) => {
    const found = parameters.find(({ name, in: place }) => place === 'path' && name === wanted);
    if (found === undefined) throw new Error(`${id} does not declare ${wanted ?? ''}`);
    return found;
  });
}

export function alternativesOf({ id, security }: ContractOperation): Alternative[] {
  return security.map((requirement) => {
    const [entry, ...others] = Object.entries(requirement);
    if (entry === undefined || others.length > 0)
      throw new Error(`${id}: a security alternative must name one scheme`);
    return { scheme: entry[0], permissions: entry[1] };
  });
}

/** Every permission that the operation names, in any alternative. */
export function permissionsOf(operation: ContractOperation): string[] {
  return [...new Set(alternativesOf(operation).flatMap(({ permissions }) => permissions))];
}

/** A field of a request that holds an id, or a list of ids. */
export interface IdField extends Place {
  in: 'query' | 'body';
  /** The name of a single id: `instance_id` for the field `instance_ids`. */
  name: string;
}

/** Every id that the operation's query, headers and bodies accept, at any depth. */
export function idFieldsOf({ parameters, body }: ContractOperation): IdField[] {
  const inQuery = parameters
    .filter(({ in: place }) => place !== 'path')
    .map(({ name, schema }) => ({ in: 'query' as const, schema, before: [name] }));
  const inBody = (body?.types ?? []).map(({ schema }) => ({ in: 'body' as const, schema, before: [] }));
  return [...inQuery, ...inBody].flatMap(({ in: part, schema, before }) =>
    placesOf(schema, schemas)
      .filter((place) => place.schema.format === 'uuid')
      .map((place) => ({ ...place, in: part, path: [...before, ...place.path] }))
      .map((place) => ({ ...place, name: idNameOf(place.path) })),
  );
}

function idNameOf(path: readonly string[]): string {
  const name = path.findLast((step) => step !== '*') ?? '';
  return path.at(-1) === '*' ? name.replace(/_ids$/, '_id') : name;
}

/**
 * The operation's path with these values for its parameters, and unknown values for the rest; with its
 * required query parameters.
 */
export function urlOf(operation: ContractOperation, values: Record<string, string> = {}): string {
  const filled = pathParametersOf(operation).reduce(
    (path, parameter) =>
      path.replace(
        `{${parameter.name}}`,
        values[parameter.name] ?? encodeURIComponent(someValueOf(parameter)),
      ),
    operation.path,
  );
  const needed = operation.parameters.filter(({ in: place, required }) => place === 'query' && required);
  if (needed.length === 0) return filled;
  return `${filled}?${String(new URLSearchParams(Object.fromEntries(needed.map((item) => [item.name, values[item.name] ?? someValueOf(item)]))))}`;
}

/** An id that refers to nothing. */
export const someId = '0199a1f0-0000-7000-8000-000000000000';

/** A value that the parameter's schema accepts and that refers to nothing. */
function someValueOf({ name, schema, example }: Parameter): string {
  const { format, example: ofSchema } = follow(schema, schemas);
  if (format === 'uuid') return someId;
  const value = example ?? ofSchema;
  if (typeof value !== 'string' && typeof value !== 'number') throw new Error(`give ${name} an example`);
  return String(value);
}

/** Values that no path parameter accepts. */
const neverInPaths = ['%00', '..%2f..%2fetc', "'%20or%20true--"];

/** Encoded values that the parameter's schema refuses. */
export function badValuesOf({ schema }: Parameter): string[] {
  const accepts = acceptsText(schema, schemas);
  const values = ['x', '1', '-1', `${someId}0`, `${someId}%00`, 'x'.repeat(200)];
  return [...neverInPaths, ...values.filter((value) => !accepts(decodeURIComponent(value)))];
}

function readOperation({ path, method, operation }: FoundOperation<OperationObject>): ContractOperation {
  const body = operation.requestBody && resolved<RequestBody>(contract, operation.requestBody);
  return {
    id: operation.operationId,
    method,
    path,
    area: areaOf(operation.operationId),
    tags: operation.tags,
    security: operation.security,
    parameters: operation.parameters as Parameter[],
    body: body && { required: body.required === true, types: bodiesOf(body.content) },
    bodyLimit: operation['x-body-limit'] ?? mebibyte,
    replies: Object.values(operation.responses).flatMap((reply) =>
      bodiesOf(resolved<Response>(contract, reply).content),
    ),
    problemCodes: operation['x-problem-codes'],
    rateLimit: operation['x-rate-limit'],
    requiresStepUp: operation['x-step-up'] === true,
  };
}

function bodiesOf(content: Content = {}): Body[] {
  return Object.entries(content).map(([type, { schema = {}, example, examples = {} }]) => {
    const named = Object.values(examples).map((item) => resolved<{ value?: unknown }>(contract, item).value);
    return { type, schema, examples: example === undefined ? named : [example] };
  });
}

/** Names are read from the contract, so that a new name there changes no test. */
export function operationIdOf(method: string, path: string): string {
  const item = contract.paths[path] as Record<string, { operationId?: string }> | undefined;
  const id = item?.[method]?.operationId;
  if (id === undefined) throw new Error(`the contract lacks ${method} ${path}`);
  return id;
}
