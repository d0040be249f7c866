// The platform's contract as tests read it: every operation with its parameters, its body and its examples.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Method } from './world.ts';

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  schema: { type?: string; format?: string };
}

export interface ContractOperation {
  id: string;
  method: Method;
  path: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters: Parameter[];
  /** Media types with their examples; undefined when the operation takes no body. */
  body: { required: boolean; examples: Record<string, unknown> } | undefined;
  problemCodes: string[] | undefined;
}

interface Reference {
  $ref: string;
}

interface MediaType {
  example?: unknown;
  examples?: Record<string, { value?: unknown }>;
}

interface OperationObject {
  operationId: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: (Parameter | Reference)[];
  requestBody?: { required?: boolean; content: Record<string, MediaType> } | Reference;
  'x-problem-codes'?: string[];
}

type PathItem = Partial<Record<Method, OperationObject>> & { parameters?: (Parameter | Reference)[] };

export interface ContractDocument {
  tags: { name: string }[];
  paths: Record<string, PathItem>;
  components: { schemas: Record<string, { enum?: string[] }>; securitySchemes: Record<string, unknown> };
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const satisfies Method[];

export const root = resolve(import.meta.dirname, '../..');

export const contract = JSON.parse(
  readFileSync(resolve(root, 'generated/platform.openapi.json'), 'utf8'),
) as ContractDocument;

export const operations: ContractOperation[] = Object.entries(contract.paths).flatMap(([path, item]) =>
  methods.flatMap((method) => {
    const operation = item[method];
    return operation === undefined ? [] : [readOperation(path, method, item, operation)];
  }),
);

/** The values of an enum among the contract's schemas. */
export function enumOf(schema: string): string[] {
  const values = contract.components.schemas[schema]?.enum;
  if (values === undefined) throw new Error(`the contract has no enum ${schema}`);
  return values;
}

export function pathParametersOf({ parameters }: ContractOperation): string[] {
  return parameters.filter(({ in: place }) => place === 'path').map(({ name }) => name);
}

/** The permissions that an operation needs of a signed-in user; undefined when it is not for signed-in users. */
export function permissionsOf({ security }: ContractOperation): string[] | undefined {
  return security.flatMap(({ bearerAuth }) => (bearerAuth === undefined ? [] : [bearerAuth]))[0];
}

/** The operation's path with these values for its parameters, and any other UUID where none is given. */
export function urlOf({ path }: ContractOperation, values: Record<string, string> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? someId);
}

/** An id that names nothing. */
export const someId = '0199a1f0-0000-7000-8000-000000000000';

function readOperation(
  path: string,
  method: Method,
  item: PathItem,
  operation: OperationObject,
): ContractOperation {
  const body = operation.requestBody && resolved(operation.requestBody);
  return {
    id: operation.operationId,
    method,
    path,
    tags: operation.tags,
    security: operation.security,
    parameters: [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(resolved),
    body: body && {
      required: body.required === true,
      examples: Object.fromEntries(
        Object.entries(body.content).map(([type, media]) => [type, exampleOf(media)]),
      ),
    },
    problemCodes: operation['x-problem-codes'],
  };
}

function exampleOf({ example, examples }: MediaType): unknown {
  return example ?? Object.values(examples ?? {})[0]?.value;
}

function resolved<T extends object>(value: T | Reference): T {
  if (!('$ref' in value)) return value;
  const found = value.$ref
    .split('/')
    .slice(1)
    .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], contract);
  if (found === undefined) throw new Error(`${value.$ref} is not in the contract`);
  return found as T;
}
