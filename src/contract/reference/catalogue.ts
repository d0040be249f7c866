// The contract as its reference shows it: operations by tag and group, with everything that they refer to.
import {
  operationsIn,
  resolved,
  type FoundOperation,
  type Parameter as OpenApiParameter,
  type RequestBody,
} from '../../../shared/openapi/document.ts';
import { problemsOf, splitDescription, type Conditions } from '../../../shared/openapi/problem-conditions.ts';
import type { Schema } from '../../../shared/openapi/schema.ts';
import { deprecationOf, type Deprecation } from '../deprecation.ts';
import type { Document, OperationObject, SecurityRequirement } from '../document.ts';
import { problemCodesOf } from '../operation-problems.ts';
import type { ProblemTable } from '../problem.ts';

export interface Parameter extends OpenApiParameter {
  schema?: Schema;
}

export interface MediaType {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, { summary?: string; value?: unknown }>;
}

export interface Reply {
  description: string;
  headers?: Record<string, { $ref?: string; description?: string }>;
  content?: Record<string, MediaType>;
}

export interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

export interface OperationEntry {
  id: string;
  method: string;
  path: string;
  summary: string;
  /** Without the conditions of problems. */
  description: string;
  tag: string;
  deprecation: Deprecation | undefined;
  security: readonly SecurityRequirement[];
  parameters: Parameter[];
  body: { isRequired: boolean; content: Record<string, MediaType> } | undefined;
  /** The response of success. */
  status: string;
  reply: Reply;
  /** The codes that it can return, its own before the general ones, with the condition of each. */
  problems: Conditions;
}

export interface Tag {
  name: string;
  /** The name as a part of a path. */
  slug: string;
  description: string;
  operations: OperationEntry[];
}

export interface Group {
  name: string;
  tags: Tag[];
}

export interface Catalogue {
  title: string;
  version: string;
  description: string;
  groups: Group[];
  operations: ReadonlyMap<string, OperationEntry>;
  schemas: Readonly<Record<string, Schema>>;
  securitySchemes: Readonly<Record<string, SecurityScheme>>;
}

export interface SecurityScheme {
  type: string;
  scheme?: string;
  in?: string;
  name?: string;
  description?: string;
}

interface Contract {
  info: { title: string; version: string; description?: string };
  tags?: { name: string; description?: string }[];
  'x-tagGroups'?: { name: string; tags: string[] }[];
  components: Record<string, Record<string, unknown>>;
}

export function createCatalogue(document: Document, { kinds }: ProblemTable): Catalogue {
  const contract = document as unknown as Contract;
  const found = operationsIn<OperationObject>(document);
  const ids = new Set(found.map(({ operation }) => operation.operationId));
  const operations = found.map((each) => entryOf(document, each, { kinds, ids }));
  const tags = (contract.tags ?? []).map(({ name, description = '' }): Tag => {
    const ofTag = operations.filter(({ tag }) => tag === name);
    return { name, slug: slugOf(name), description, operations: ofTag };
  });
  return {
    title: contract.info.title,
    version: contract.info.version,
    description: contract.info.description ?? '',
    groups: groupsOf(
      contract,
      tags.filter((tag) => tag.operations.length > 0),
    ),
    operations: new Map(operations.map((operation) => [operation.id, operation])),
    schemas: (contract.components['schemas'] ?? {}) as Record<string, Schema>,
    securitySchemes: (contract.components['securitySchemes'] ?? {}) as Record<string, SecurityScheme>,
  };
}

function entryOf(
  document: Document,
  { method, path, operation }: FoundOperation<OperationObject>,
  { kinds, ids }: { kinds: ProblemTable['kinds']; ids: ReadonlySet<string> },
): OperationEntry {
  const { operationId: id, tags, security, requestBody, responses } = operation;
  const [status = '', reply] = Object.entries(responses).find(([code]) => /^[23]/.test(code)) ?? [];
  if (reply === undefined) throw new Error(`${id} has no response of success`);
  const conditions = problemsOf(document, operation);
  const body = requestBody && resolved<RequestBody>(document, requestBody);
  return {
    id,
    method: method.toUpperCase(),
    path,
    summary: operation.summary ?? id,
    description: splitDescription(operation.description ?? '').text,
    tag: tags[0] ?? '',
    deprecation: deprecationOf(operation, ids),
    security,
    parameters: operation.parameters,
    body: body && {
      isRequired: body.required === true,
      content: (body.content ?? {}) as Record<string, MediaType>,
    },
    status,
    reply: resolved(document, reply) as Reply,
    problems: new Map(problemCodesOf(operation, kinds).map((code) => [code, conditions.get(code) ?? ''])),
  };
}

/** The groups that the contract names; tags in none of them, or all tags of a contract without groups, come last. */
function groupsOf(contract: Contract, tags: Tag[]): Group[] {
  const groups = (contract['x-tagGroups'] ?? []).map(({ name, tags: names }) => ({
    name,
    tags: names.flatMap((wanted) => tags.filter((tag) => tag.name === wanted)),
  }));
  const grouped = new Set(groups.flatMap((group) => group.tags));
  const others = {
    name: groups.length === 0 ? 'Operations' : 'More',
    tags: tags.filter((tag) => !grouped.has(tag)),
  };
  return [...groups, others].filter((group) => group.tags.length > 0);
}

export const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
