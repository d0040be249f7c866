// Rule sets that other people wrote for contracts, and our exceptions from them, each with its reason.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ruleset, Spectral, type IRuleResult } from '@stoplight/spectral-core';
import owasp from '@stoplight/spectral-owasp-ruleset';
import rulesets from '@stoplight/spectral-rulesets';
import { publishedForm } from '../../src/contract/reference/published-form.ts';
import { root } from '../support/contract.ts';

type Node = Record<string, unknown>;

interface Published extends Node {
  paths: Record<string, Record<string, Node>>;
  components: Record<string, Record<string, Node>>;
}

interface Finding {
  rule: string;
  /** Where, as a path of keys. */
  at: string[];
  /** The object of the document that the rule found, or its nearest parent. */
  node: Node;
}

interface Exception {
  rule: string;
  reason: string;
  /** The findings that the reason covers; all of them unless given. */
  covers?: (finding: Finding) => boolean;
}

/** Whether the format or an anchored pattern without unlimited repetition bounds the text. */
const isBounded = ({ format, pattern }: Node) =>
  ['uuid', 'date-time', 'date', 'binary', 'uint64'].includes(String(format)) ||
  (/^\^.*\$$/.test(String(pattern)) && !/(?<!\\)[*+]|,\}/.test(String(pattern)));

/** Operations without credentials: their replies are public, or the request itself proves the right to them. */
const publicOperations = new Set([
  // A password, a code, a link or a token of the body proves who calls.
  'POST /auth/bootstrap',
  'POST /auth/login',
  'POST /auth/login/totp',
  'POST /auth/reset-password',
  'POST /auth/refresh',
  'POST /auth/logout',
  'POST /auth/browser-session',
  'DELETE /auth/browser-session',
  'POST /auth/browser-session/refresh',
  'POST /auth/invitations/accept',
  'POST /api/early-access/confirmations',
  'POST /api/agent/enrolment',
  // The signature of the payment provider proves who calls.
  'POST /api/public-store/{subdomain}/webhook',
  'POST /api/webstore/subscription/webhook',
  // The signature in the query, or the secret in the path, proves the right.
  'GET /api/agent/maps/{map_id}',
  'GET /api/public/maps/{map_secret}/{file_name}',
  // Anybody may: mail goes to the address in the body alone.
  'POST /auth/forgot-password',
  'POST /api/early-access',
  // Anybody may: visitors of stores have no account.
  'GET /api/public-store/{subdomain}',
  'GET /api/public-store/{subdomain}/items',
  'GET /api/public-store/{subdomain}/orders/{order_id}',
  'POST /api/public-store/{subdomain}/orders/{order_id}/sandbox',
  'POST /api/public-store/{subdomain}/purchase',
  // Anybody may: public data, and licenses for tests.
  'GET /api/game-data/containers',
  'GET /api/game-data/items',
  'GET /api/plugin/download',
  'GET /api/public/status',
  'POST /api/sandbox',
]);

const isPublic = ({ at: [, path = '', method = ''] }: Finding) =>
  publicOperations.has(`${method.toUpperCase()} ${path}`);

const exceptions: Exception[] = [
  {
    rule: 'openapi-tags-alphabetical',
    reason: 'Tags are ordered by audience, as x-tagGroups shows them.',
  },
  {
    rule: 'license-url',
    reason: 'OpenAPI 3.1 allows an identifier or a URL, not both; the identifier is the shorter one.',
    covers: ({ node }) => node['identifier'] === 'MIT',
  },
  {
    rule: 'contact-properties',
    reason:
      'The operator of an installation is reached through its pages; the contract cannot know an e-mail address.',
  },
  {
    rule: 'info-contact',
    reason: 'The local manager runs on its user’s own machine: there is no other person to contact.',
  },
  {
    rule: 'oas3-operation-security-defined',
    reason: 'OpenAPI 3.1 allows names of permissions with every scheme; the rule knows scopes of OAuth only.',
  },
  {
    rule: 'oas3-valid-schema-example',
    reason: 'It takes the default of a parameter, which is data of an example, for the default of a schema.',
    covers: ({ at }) => at.includes('example') || at.includes('examples'),
  },
  {
    rule: 'owasp:api2:2023-write-restricted',
    reason: 'Listed above, each with what takes the place of credentials.',
    covers: isPublic,
  },
  {
    rule: 'owasp:api2:2023-read-restricted',
    reason: 'Listed above, each with what takes the place of credentials.',
    covers: isPublic,
  },
  {
    rule: 'owasp:api8:2023-define-error-responses-401',
    reason: 'Without credentials and without proof in the request there is nothing to refuse.',
    covers: isPublic,
  },
  {
    rule: 'owasp:api2:2023-no-credentials-in-url',
    reason:
      'Game servers download maps from a URL without headers; its secret opens that one map and can be replaced.',
    covers: ({ node }) => node['name'] === 'map_secret',
  },
  {
    rule: 'owasp:api4:2023-string-limit',
    reason: 'A format, a bounded pattern or a list of values bounds the text; the rule reads maxLength only.',
    covers: ({ node }) => isBounded(node) || 'x-extensible-enum' in node,
  },
  {
    rule: 'owasp:api4:2023-string-restricted',
    reason: 'Names, descriptions, messages and settings of plugins are any text; their length is limited.',
  },
  {
    rule: 'owasp:api4:2023-integer-limit',
    reason: 'The listed values are the limit; the rule reads minimum and maximum only.',
    covers: ({ node }) => 'enum' in node,
  },
  {
    rule: 'owasp:api4:2023-integer-limit-legacy',
    reason: 'The listed values are the limit; the rule reads minimum and maximum only.',
    covers: ({ node }) => 'enum' in node,
  },
  {
    rule: 'owasp:api4:2023-integer-format',
    reason:
      'Integers of requests have a minimum and a maximum, or listed values, which say more than a width.',
    covers: ({ node }) => 'enum' in node || ('minimum' in node && 'maximum' in node),
  },
  {
    rule: 'owasp:api3:2023-no-additionalProperties',
    reason: 'Maps, whose names and values have schemas of their own.',
    covers: ({ at, node }) => at.at(-1) === 'additionalProperties' && Object.keys(node).length > 0,
  },
  {
    rule: 'owasp:api4:2023-rate-limit',
    reason:
      'Every reply has the headers, as the description says. They are declared at successes, and not again at each problem, which would add a twelfth to the document.',
    covers: ({ at }) => /^[45]/.test(at[4] ?? ''),
  },
  {
    rule: 'owasp:api8:2023-define-cors-origin',
    reason: 'The operator allows origins for all operations at once; without that no reply has the header.',
  },
  {
    rule: 'owasp:api9:2023-inventory-access',
    reason: 'There is one server, the one that sends the document; x-internal would say nothing about it.',
  },
];

/** Further ones of the local manager, which serves one person on the loopback address of one machine. */
const ofTheLocalManager: Exception[] = [
  { rule: 'owasp:api4:2023-rate-limit', reason: 'It has one caller, its own user, and no limits.' },
  {
    rule: 'owasp:api4:2023-rate-limit-responses-429',
    reason: 'It has one caller, its own user, and no limits.',
  },
  { rule: 'owasp:api9:2023-inventory-environment', reason: 'It always runs on the machine of its user.' },
];

/** The document as the server sends it. */
function publishedOf(name: string): Published {
  const text = readFileSync(resolve(root, `generated/${name}.json`), 'utf8');
  return publishedForm(JSON.parse(text), 'https://gantry.test') as Published;
}

/** Without what replies contain: the limits that OWASP asks for protect the server from what it receives. */
function requestsOf(name: string): Published {
  const document = publishedOf(name);
  const responses = [
    ...Object.values(document.components['responses'] ?? {}),
    ...Object.values(document.paths)
      .flatMap((item) => Object.values(item))
      .flatMap(({ responses = {} }) => Object.values(responses as Record<string, Node>)),
  ];
  for (const { content = {}, headers = {} } of responses) {
    for (const media of Object.values(content as Record<string, Node>))
      for (const key of ['schema', 'example', 'examples']) delete media[key];
    for (const header of Object.values(headers as Record<string, Node>))
      if ('schema' in header) header['schema'] = {};
  }
  for (const header of Object.values(document.components['headers'] ?? {})) header['schema'] = {};
  delete document['webhooks'];
  removeUnreferenced(document);
  return document;
}

function removeUnreferenced(document: Published): void {
  const kept = new Set<string>();
  const waiting: unknown[] = [document.paths];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop())
    for (const [key, value] of Object.entries(node as Node)) {
      if (typeof value === 'object' && value !== null) waiting.push(value);
      if (key !== '$ref' || typeof value !== 'string' || kept.has(value)) continue;
      kept.add(value);
      const [, , kind = '', name = ''] = value.split('/');
      waiting.push(document.components[kind]?.[name]);
    }
  for (const kind of ['schemas', 'parameters', 'headers', 'responses', 'examples'])
    for (const name of Object.keys(document.components[kind] ?? {}))
      if (!kept.has(`#/components/${kind}/${name}`)) delete document.components[kind]?.[name];
}

/** The object at the path, or its nearest parent. Findings lie behind references, too. */
function nodeAt(document: Published, path: readonly (string | number)[]): Node {
  let nearest: Node = document;
  let found: unknown = document;
  for (const key of path) {
    found = followed(document, (found as Node | undefined)?.[key]);
    if (typeof found === 'object' && found !== null && !Array.isArray(found)) nearest = found as Node;
  }
  return nearest;
}

function followed(document: Published, node: unknown): unknown {
  const reference = (node as Node | undefined | null)?.['$ref'];
  if (typeof reference !== 'string') return node;
  const [, , kind = '', name = ''] = reference.split('/');
  return followed(document, document.components[kind]?.[name]);
}

/** Every rule of the set, or those that are switched on or off. */
async function findingsIn(
  document: Published,
  rules: typeof owasp | typeof rulesets.oas,
  { without = [], only = [] }: { without?: readonly string[]; only?: readonly string[] } = {},
): Promise<Finding[]> {
  const spectral = new Spectral();
  const settings = { ...valuesOf(without, 'off' as const), ...valuesOf(only, 'error' as const) };
  spectral.setRuleset(new Ruleset({ extends: [[rules, only.length > 0 ? 'off' : 'all']], rules: settings }));
  const results: IRuleResult[] = await spectral.run(document);
  return results.map(({ code, path }) => ({
    rule: String(code),
    at: path.map(String),
    node: nodeAt(document, path),
  }));
}

function valuesOf<Value>(names: readonly string[], value: Value): Record<string, Value> {
  return Object.fromEntries(names.map((name) => [name, value]));
}

/**
 * These compile a schema for each example that they meet, which is nearly all the time. Both forms have the same examples,
 * so one is enough; and rules see what references lead to, so that the reply of a problem would be compared hundreds of
 * times. In the documents that they get, everything shared stands in `components` alone, where they find it.
 */
const [ofMedia, ofSchemas] = ['oas3-valid-media-example', 'oas3-valid-schema-example'] as const;
const rulesOfExamples = [ofMedia, ofSchemas];

interface WithContent {
  content?: Record<string, Node>;
}

function bodiesOf(operation: Node): WithContent[] {
  const { requestBody = {}, responses = {} } = operation as {
    requestBody?: WithContent;
    responses?: Record<string, WithContent>;
  };
  return [requestBody, ...Object.values(responses)];
}

const isReference = (node: unknown) => '$ref' in (node as Node);

/** Without replies that are references. */
function withOwnReplies(document: Published): Published {
  for (const operation of Object.values(document.paths).flatMap((item) => Object.values(item))) {
    const replies = Object.entries((operation['responses'] ?? {}) as Record<string, Node>);
    operation['responses'] = Object.fromEntries(replies.filter(([, reply]) => !isReference(reply)));
  }
  return document;
}

/** Without schemas of bodies that are references. */
function withOwnSchemas(document: Published): Published {
  for (const operation of Object.values(withOwnReplies(document).paths).flatMap((item) =>
    Object.values(item),
  ))
    for (const media of bodiesOf(operation).flatMap(({ content = {} }) => Object.values(content)))
      if (isReference(media['schema'] ?? {})) media['schema'] = {};
  return document;
}

const isCovered = (finding: Finding, { rule, covers = () => true }: Exception) =>
  rule === finding.rule && covers(finding);

describe.each([
  ['platform', exceptions],
  ['local-manager', [...exceptions, ...ofTheLocalManager]],
])('Spectral, with every rule for OpenAPI and of OWASP, in the %s contract', (name, allowed) => {
  const findings = Promise.all([
    findingsIn(publishedOf(`${name}.openapi-3.1`), rulesets.oas, { without: rulesOfExamples }),
    findingsIn(publishedOf(`${name}.openapi-3.0`), rulesets.oas, { without: rulesOfExamples }),
    findingsIn(withOwnReplies(publishedOf(`${name}.openapi-3.1`)), rulesets.oas, { only: [ofMedia] }),
    findingsIn(withOwnSchemas(publishedOf(`${name}.openapi-3.1`)), rulesets.oas, { only: [ofSchemas] }),
    findingsIn(requestsOf(`${name}.openapi-3.1`), owasp),
    findingsIn(requestsOf(`${name}.openapi-3.0`), owasp),
  ]).then((found) => found.flat());

  it('finds nothing but the listed exceptions', async () => {
    const others = (await findings).filter((finding) => !allowed.some((each) => isCovered(finding, each)));
    expect(others.slice(0, 20).map(({ rule, at }) => `${rule} ${at.join('/')}`)).toEqual([]);
  });

  it('finds each exception of its list', async () => {
    const found = await findings;
    const own =
      name === 'platform' ? allowed.filter(({ rule }) => rule !== 'info-contact') : ofTheLocalManager;
    const idle = own.filter((exception) => !found.some((finding) => isCovered(finding, exception)));
    expect(idle.map(({ rule }) => rule)).toEqual([]);
  });
});
