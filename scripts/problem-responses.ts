// Adds the possible problems of every operation to a bundle: one response for each status.
import {
  methods,
  resolved,
  type Method,
  type Parameter,
  type Reference,
} from '../shared/openapi/document.ts';
import { paragraphsOf, withConditions } from '../shared/openapi/problem-conditions.ts';
import { problemCodesOf } from '../src/contract/operation-problems.ts';
import { conditionOf, type ProblemKind, type ProblemTable } from '../src/contract/problem.ts';
import { limitClasses, type CountedBy, type Rule } from '../src/rate-limits/classes.ts';

interface Operation {
  operationId: string;
  description: string;
  security: Record<string, string[]>[];
  requestBody?: unknown;
  parameters?: (Parameter | Reference)[];
  responses: Record<string, unknown>;
  /** In a hand-written contract, a code may be a pair with the condition that this operation states for it. */
  'x-problem-codes'?: (string | Record<string, string>)[];
  'x-rate-limit'?: string;
  'x-step-up'?: boolean;
}

/** An operation of a bundle: its codes are a plain list. */
type PlainOperation = Operation & { 'x-problem-codes'?: string[] };

interface Schema {
  example?: unknown;
  enum?: unknown[];
}

interface Bundle {
  paths: Record<string, Partial<Record<Method, Operation>> & Pick<Operation, 'parameters'>>;
  components: { responses?: Record<string, unknown>; headers?: Record<string, unknown> };
}

/** One operation's problems of one status. */
interface Problem {
  operation: Operation;
  status: number;
  codes: readonly string[];
  /** Conditions that the operation states itself. */
  conditions: ReadonlyMap<string, string>;
  /** The path of the operation, with the examples of its parameters. */
  instance: string;
}

/** Changes the bundle and returns it. */
export function withProblemResponses<T extends object>(document: T, table: ProblemTable): T {
  const { kinds } = table;
  const bundle = document as unknown as Bundle;
  const kindOf = ({ operationId }: Operation, code: string): ProblemKind => {
    const kind = kinds[code];
    if (kind !== undefined) return kind;
    throw new Error(`${operationId}: the problem code ${code} is unknown; it needs a kind in problems.ts`);
  };
  const responses = new Map<string, object>();
  const names = new ResponseNames();
  const problems: Problem[] = [];
  for (const [path, item] of Object.entries(bundle.paths)) {
    for (const operation of methods.flatMap((method) => item[method] ?? [])) {
      describeStepUp(operation);
      describeLimits(operation);
      const conditions = describeConditions(operation, kinds);
      const instance = examplePath(
        path,
        [...(item.parameters ?? []), ...(operation.parameters ?? [])],
        bundle,
      );
      const returned = problemCodesOf(operation as PlainOperation, kinds);
      const statuses = new Set(returned.map((code) => kindOf(operation, code).status));
      if (kinds['rate_limited'] !== undefined) declareLimits(operation, bundle.components.responses);
      for (const status of [...statuses].toSorted((one, other) => one - other)) {
        const codes = [...new Set(returned.filter((code) => kindOf(operation, code).status === status))];
        problems.push({ operation, status, codes, conditions, instance });
      }
    }
  }
  for (const { status, codes } of problems) names.count(status, codes);
  for (const problem of problems) {
    const { operation, status, codes } = problem;
    // The response of a single operation stands in it: its name would be longer than it is useful.
    if (names.usesOf(status, codes) === 1) {
      operation.responses[status] = responseOf(problem, problem, table);
      continue;
    }
    const name = names.of(status, codes);
    const first = problems.find((each) => each.codes[0] === codes[0]) ?? problem;
    if (!responses.has(name)) responses.set(name, responseOf(problem, first, table));
    operation.responses[status] = { $ref: `#/components/responses/${name}` };
  }
  bundle.components.responses = {
    ...bundle.components.responses,
    ...Object.fromEntries([...responses].toSorted(([one], [other]) => (one < other ? -1 : 1))),
  };
  if (kinds['rate_limited'] !== undefined)
    bundle.components.headers = { ...bundle.components.headers, ...limitHeaders };
  bundle.components.headers = { ...bundle.components.headers, ...problemHeaders };
  return document;
}

const phrases: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Gone',
  412: 'PreconditionFailed',
  413: 'TooLarge',
  415: 'MediaType',
  416: 'RangeNotSatisfiable',
  422: 'Unprocessable',
  428: 'PreconditionRequired',
  429: 'RateLimited',
  500: 'Internal',
  502: 'BadGateway',
  503: 'Unavailable',
  504: 'GatewayTimeout',
  507: 'InsufficientStorage',
};

/** Codes that the status phrase implies, and those with a shorter word, in the names of responses. */
const wordsOfCodes: Readonly<Record<string, string>> = {
  validation_failed: '',
  malformed_body: 'Body',
  unauthorized: '',
  forbidden: '',
  user_required: '',
  address_not_allowed: '',
  license_required: '',
  license_revoked: '',
  step_up_required: 'StepUp',
  not_found: '',
  stale_version: '',
  payload_too_large: '',
  unsupported_media_type: '',
  idempotency_in_flight: 'Idempotent',
  idempotency_key_reused: 'Idempotent',
  rate_limited: '',
  internal: '',
  unavailable: '',
};

/** Names responses by their status and the codes that distinguish them. */
class ResponseNames {
  /** How many operations have each set of codes, by the short name of the set. */
  readonly #uses = new Map<string, Map<string, number>>();

  count(status: number, codes: readonly string[]): void {
    const name = shortName(status, codes);
    const uses = this.#uses.get(name) ?? new Map<string, number>();
    this.#uses.set(name, uses.set(keyOf(codes), (uses.get(keyOf(codes)) ?? 0) + 1));
  }

  /** How many operations have the response. */
  usesOf(status: number, codes: readonly string[]): number {
    return this.#uses.get(shortName(status, codes))?.get(keyOf(codes)) ?? 0;
  }

  /** Where sets differ in general codes only, the one with most uses has the short name. */
  of(status: number, codes: readonly string[]): string {
    const name = shortName(status, codes);
    const [[usual] = ['']] = [...(this.#uses.get(name) ?? [])].toSorted(
      ([one, many], [other, more]) => more - many || (one < other ? -1 : 1),
    );
    return usual === keyOf(codes) ? name : this.#unique(longName(status, codes), keyOf(codes));
  }

  readonly #holders = new Map<string, string>();

  /** The name, if no other set of codes has it. */
  #unique(name: string, key: string): string {
    const holder = this.#holders.get(name) ?? key;
    if (holder !== key || this.#uses.has(name)) throw new Error(`two responses would be named ${name}`);
    this.#holders.set(name, key);
    return name;
  }
}

const keyOf = (codes: readonly string[]) => codes.toSorted().join(' ');

const shortName = (status: number, codes: readonly string[]) =>
  `${phrases[status] ?? `Status${status}`}${codes
    .map((code) => wordsOfCodes[code] ?? pascal(code))
    .toSorted()
    .join('')}`;

/** The words of general codes where a name has to distinguish them. */
const longWords: Readonly<Record<string, string>> = {
  forbidden: 'Permission',
  user_required: 'User',
  address_not_allowed: 'Key',
  license_required: 'License',
  license_revoked: 'Revoked',
  step_up_required: 'StepUp',
};

const longName = (status: number, codes: readonly string[]) =>
  `${phrases[status] ?? ''}${codes
    .map((code) => longWords[code] ?? pascal(code))
    .toSorted()
    .join('')}`;

/** The headers of problems. */
const problemHeaders = {
  RequestId: {
    description: 'Identifies the request; include it when you ask for help.',
    schema: { type: 'string' },
  },
  WwwAuthenticate: { description: 'The authentication scheme to use.', schema: { type: 'string' } },
  RetryAfter: {
    description: 'Seconds after which to try again; absent if trying again does not help.',
    schema: { type: 'integer', minimum: 0 },
  },
};

const headerReference = (name: keyof typeof problemHeaders) => ({ $ref: `#/components/headers/${name}` });

const pascal = (code: string) =>
  code
    .split('_')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('');

const limitHeaders = {
  RateLimit: {
    description: 'Remaining requests (`r`), and seconds until the limit is reset (`t`).',
    schema: { type: 'string' },
    example: '"general";r=1199;t=60',
  },
  Quota: {
    description: 'Allowed requests (`q`) and the window in seconds (`w`).',
    schema: { type: 'string' },
    example: '"general";q=1200;w=60',
  },
};

const limitReferences = {
  RateLimit: { $ref: '#/components/headers/RateLimit' },
  'RateLimit-Policy': { $ref: '#/components/headers/Quota' },
};

/** A caller must learn of a limit before the refusal. */
function declareLimits({ responses }: Operation, shared: Bundle['components']['responses']): void {
  for (const [status, response] of Object.entries(responses)) {
    if (!status.startsWith('2')) continue;
    const { $ref } = response as { $ref?: string };
    const name = $ref?.split('/').at(-1);
    // Keywords beside a reference are ignored.
    const [holder, key] = name === undefined ? [responses, status] : [shared ?? {}, name];
    const success = holder[key] as { headers?: object };
    holder[key] = { ...success, headers: { ...success.headers, ...limitReferences } };
  }
}

/** API keys need no step-up: a key is not an access token that an attacker may have found. */
function describeStepUp(operation: Operation): void {
  if (operation['x-step-up'] !== true) return;
  operation.description = `${operation.description.trimEnd()}\n\n**Step-up:** requires \`POST /auth/step-up\` in the last 10 minutes.`;
}

/** Operations of the general class have none: it is the same for all of them. */
function describeLimits(operation: Operation): void {
  const name = operation['x-rate-limit'];
  if (name === undefined) return;
  const found = limitClasses[name];
  if (found === undefined) throw new Error(`there is no rate-limit class ${name}`);
  operation.description = `${operation.description.trimEnd()}\n\n**Rate limits** (\`${name}\`): ${found.rules.map(textOf).join('; ')}.`;
}

const holders: Record<CountedBy, string> = {
  source: 'address',
  principal: 'caller',
  account: 'account',
  'account-and-source': 'account and address',
};

function textOf({ by, max, seconds, failuresOnly }: Rule): string {
  const what = failuresOnly === true ? `${max} failures` : `${max} requests`;
  return `${what} in ${seconds === 60 ? 'a minute' : `${seconds / 60} minutes`} for each ${holders[by]}`;
}

/**
 * Moves the conditions that the operation states to its description: they differ between operations that share a
 * response. The codes become a plain list.
 */
function describeConditions(operation: Operation, kinds: ProblemTable['kinds']): ReadonlyMap<string, string> {
  const entries = (operation['x-problem-codes'] ?? []).flatMap((entry): [string, string | undefined][] =>
    typeof entry === 'string' ? [[entry, undefined]] : Object.entries(entry),
  );
  if (operation['x-problem-codes'] !== undefined)
    operation['x-problem-codes'] = entries.map(([code]) => code);
  const conditions = new Map(
    entries.flatMap(([code, condition]) => (condition === undefined ? [] : [[code, condition]])),
  );
  for (const [code] of entries)
    if (kinds[code]?.isStatedByOperations === true && !conditions.has(code))
      throw new Error(`${operation.operationId} does not state when it fails with ${code}`);
  operation.description = withConditions(operation.description, conditions);
  return conditions;
}

/** The path with the examples of its parameters. */
function examplePath(path: string, parameters: Operation['parameters'], document: object): string {
  const found = (parameters ?? []).map((parameter) => resolved<Parameter>(document, parameter));
  return path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const parameter = found.find((each) => each.in === 'path' && each.name === name);
    const schema = resolved<Schema>(document, parameter?.schema ?? {});
    const example = parameter?.example ?? schema.example ?? schema.enum?.[0];
    if (typeof example !== 'string') throw new Error(`${path} has no example of ${name}`);
    return encodeURIComponent(example);
  });
}

/**
 * The example has the first code; an operation's own codes come before the general ones. Responses that operations share
 * have one example for each code, of the first operation that returns it.
 */
function responseOf(
  { status, codes: names }: Problem,
  { conditions, instance }: Problem,
  { kinds, requestIdField }: ProblemTable,
): object {
  const codes = names.flatMap((name): [string, ProblemKind][] => {
    const kind = kinds[name];
    return kind === undefined ? [] : [[name, kind]];
  });
  const [[code, kind] = ['', undefined]] = codes;
  const waits = codes.some(([, { retryAfterSeconds }]) => retryAfterSeconds !== undefined);
  return {
    description: paragraphsOf(new Map(codes.map(([name, each]) => [name, conditionOf(each)]))),
    headers: {
      'X-Request-Id': headerReference('RequestId'),
      ...(status === 401 && { 'WWW-Authenticate': headerReference('WwwAuthenticate') }),
      ...(status === 429 && limitReferences),
      ...(waits && { 'Retry-After': headerReference('RetryAfter') }),
    },
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        example: {
          type: `/problems/${code}`,
          title: kind?.title ?? '',
          status,
          detail: conditions.get(code) ?? (kind === undefined ? '' : conditionOf(kind)),
          instance,
          code,
          [requestIdField]: '0199a1f0-6c1e-7a44-9d0e-6f5d1f1f4a09',
          ...kind?.example,
        },
      },
    },
  };
}
