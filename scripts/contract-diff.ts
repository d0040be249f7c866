// Compares two published contracts for the API changelog: what callers can do now, and what they no longer can.

type Node = Record<string, unknown>;

export interface ContractChanges {
  added: string[];
  changed: string[];
  deprecated: string[];
  removed: string[];
}

interface Operation {
  name: string;
  node: Node;
}

const methods = ['get', 'put', 'post', 'delete', 'patch'];

/** The changes from one published contract to the next, in words, sorted. */
export function changesBetween(before: Node, after: Node): ContractChanges {
  const changes: ContractChanges = { added: [], changed: [], deprecated: [], removed: [] };
  compareOperations(before, after, changes);
  compareSchemas(before, after, changes);
  compareWebhooks(before, after, changes);
  for (const list of Object.values(changes) as string[][]) list.sort();
  return changes;
}

function compareOperations(before: Node, after: Node, changes: ContractChanges): void {
  const [old, now] = [operationsOf(before), operationsOf(after)];
  for (const [place, { name }] of old)
    if (!now.has(place)) changes.removed.push(`\`${place}\` (\`${name}\`)`);
  for (const [place, { name, node }] of now) {
    const previous = old.get(place);
    const label = `\`${place}\` (\`${name}\`)`;
    if (previous === undefined) {
      changes.added.push(label);
      continue;
    }
    if (previous.name !== name) changes.changed.push(`${label} was named \`${previous.name}\``);
    if (node['deprecated'] === true && previous.node['deprecated'] !== true)
      changes.deprecated.push(`${label}, until ${String(node['x-sunset'])}`);
    const [had, has] = [parametersOf(before, previous.node), parametersOf(after, node)];
    for (const each of has) if (!had.has(each)) changes.added.push(`${label}: the ${each}`);
    for (const each of had) if (!has.has(each)) changes.removed.push(`${label}: the ${each}`);
  }
}

function operationsOf(document: Node): Map<string, Operation> {
  const found = new Map<string, Operation>();
  for (const [path, item] of entriesOf(document['paths']))
    for (const method of methods) {
      const operation = (item as Node)[method] as Node | undefined;
      if (operation === undefined) continue;
      const parameters = [...listOf((item as Node)['parameters']), ...listOf(operation['parameters'])];
      const node = { ...operation, parameters };
      found.set(`${method.toUpperCase()} ${path}`, { name: String(operation['operationId']), node });
    }
  return found;
}

/** Parameters in words, for example "query parameter `limit`". Those of the path are part of the path. */
function parametersOf(document: Node, operation: Node): Set<string> {
  return new Set(
    listOf(operation['parameters'])
      .map((parameter) => follow(document, parameter as Node))
      .filter((parameter) => parameter['in'] !== 'path')
      .map((parameter) => `${String(parameter['in'])} parameter \`${String(parameter['name'])}\``),
  );
}

function compareSchemas(before: Node, after: Node, changes: ContractChanges): void {
  const [old, now] = [schemasOf(before), schemasOf(after)];
  for (const name of old.keys()) if (!now.has(name)) changes.removed.push(`schema \`${name}\``);
  for (const [name, schema] of now) {
    const previous = old.get(name);
    if (previous === undefined) continue;
    const [had, has] = [entriesOf(previous['properties']), entriesOf(schema['properties'])];
    const label = (field: string) => `\`${name}.${field}\``;
    for (const [field] of had)
      if (!has.some(([other]) => other === field)) changes.removed.push(label(field));
    for (const [field, node] of has) {
      const known = had.find(([other]) => other === field)?.[1];
      if (known === undefined) changes.added.push(label(field));
      else compareValues(label(field), known as Node, node as Node, changes);
      if (known !== undefined && isDeprecated(node) && !isDeprecated(known))
        changes.deprecated.push(label(field));
    }
    compareValues(`\`${name}\``, previous, schema, changes);
    compareRequired(name, previous, schema, changes);
  }
}

const isDeprecated = (node: unknown) => (node as Node)['deprecated'] === true;

function compareValues(
  label: string,
  before: Node,
  after: Node,
  { added, changed, removed }: ContractChanges,
): void {
  const [had, has] = [valuesOf(before), valuesOf(after)];
  for (const value of has)
    if (had.size > 0 && !had.has(value)) added.push(`${label}: the value \`${value}\``);
  for (const value of had)
    if (has.size > 0 && !has.has(value)) removed.push(`${label}: the value \`${value}\``);
  const [type, other] = [JSON.stringify(before['type']), JSON.stringify(after['type'])];
  if (type !== other && type !== undefined && other !== undefined)
    changed.push(`${label} has the type ${other} instead of ${type}`);
}

const valuesOf = (schema: Node) =>
  new Set([...listOf(schema['enum']), ...listOf(schema['x-extensible-enum'])].map(String));

function compareRequired(name: string, before: Node, after: Node, { changed }: ContractChanges): void {
  const had = new Set(listOf(before['required']).map(String));
  const has = new Set(listOf(after['required']).map(String));
  const known = new Set(entriesOf(before['properties']).map(([field]) => field));
  for (const field of has)
    if (!had.has(field) && known.has(field)) changed.push(`\`${name}.${field}\` is always there`);
  const fields = new Set(entriesOf(after['properties']).map(([field]) => field));
  for (const field of had)
    if (!has.has(field) && fields.has(field)) changed.push(`\`${name}.${field}\` is optional`);
}

function compareWebhooks(before: Node, after: Node, { added, removed }: ContractChanges): void {
  const [old, now] = [entriesOf(before['webhooks']), entriesOf(after['webhooks'])].map(
    (entries) => new Set(entries.map(([name]) => name)),
  ) as [Set<string>, Set<string>];
  for (const name of now) if (!old.has(name)) added.push(`webhook \`${name}\``);
  for (const name of old) if (!now.has(name)) removed.push(`webhook \`${name}\``);
}

const schemasOf = (document: Node): Map<string, Node> =>
  new Map(entriesOf((document['components'] as Node | undefined)?.['schemas']) as [string, Node][]);

function follow(document: Node, node: Node): Node {
  if (typeof node['$ref'] !== 'string') return node;
  const steps = node['$ref'].split('/').slice(1);
  return steps.reduce<Node>((found, step) => (found[step] ?? {}) as Node, document);
}

const entriesOf = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
