// Requirements of client generators for other languages, in both forms of the published contracts.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { contract, root } from '../support/contract.ts';

type Node = Record<string, unknown>;

const forms = [
  'platform.openapi',
  'platform.openapi-3.0',
  'local-manager.openapi',
  'local-manager.openapi-3.0',
];

/** What Go, PHP and RE2 cannot compile: escapes of four digits, lookaround, backreferences. */
const foreign = /\\u|\(\?[=!<]|\\[1-9]|\\[pPc]/;

const documents = forms.map((name) => ({
  name,
  document: JSON.parse(readFileSync(resolve(root, `generated/${name}.json`), 'utf8')) as Node,
}));

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** Every object of the document with its location, examples included. */
function* nodesOf(node: Node, at = '#'): Generator<{ at: string; node: Node }> {
  yield { at, node };
  for (const [key, value] of Object.entries(node)) if (isNode(value)) yield* nodesOf(value, `${at}/${key}`);
}

const messages = ['agent-bus.asyncapi', 'console.asyncapi', 'local-manager-events.asyncapi'];

it.each([...forms, ...messages])('%s has only patterns that every engine compiles', (name) => {
  const document = JSON.parse(readFileSync(resolve(root, `generated/${name}.json`), 'utf8')) as Node;
  const patterns = [...nodesOf(document)].flatMap(({ at, node }) =>
    typeof node['pattern'] === 'string' ? [{ at, pattern: node['pattern'] }] : [],
  );
  expect(patterns.filter(({ pattern }) => foreign.test(pattern))).toEqual([]);
});

it('the webhook has an example of its headers and of its body for one event', () => {
  const { parameters, requestBody } = contract.webhooks['event']!.post as unknown as {
    parameters: { name: string; example?: string }[];
    requestBody: { content: Record<string, { example: { type: string } }> };
  };
  const { type } = requestBody.content['application/json']?.example ?? {};
  expect(parameters.find(({ name }) => name === 'X-Service-Event')?.example).toBe(type);
});

describe.each(documents)('$name', ({ document }) => {
  it('lists descriptions of enum values as arrays, in their order', () => {
    const wrong = [...nodesOf(document)].flatMap(({ at, node }) =>
      ['x-enum-descriptions', 'x-enum-varnames']
        .filter((name) => name in node)
        .filter((name) => {
          const texts = node[name];
          return (
            !Array.isArray(texts) ||
            texts.length !== (node['enum'] as unknown[]).length ||
            texts.some((text) => typeof text !== 'string')
          );
        })
        .map((name) => `${at}/${name}`),
    );
    expect(wrong).toEqual([]);
  });
});

interface Document {
  paths: Node;
  components: { schemas: Record<string, Node> };
}

describe.each(['platform', 'local-manager'])('%s in 3.0', (name) => {
  const [newer, older] = ['openapi', 'openapi-3.0'].map(
    (form) => JSON.parse(readFileSync(resolve(root, `generated/${name}.${form}.json`), 'utf8')) as Document,
  ) as [Document, Document];

  const typeIn = ({ components }: Document, node: Node): unknown => {
    const [only] = (node['allOf'] ?? []) as Node[];
    const reference = node['$ref'] ?? only?.['$ref'];
    const named =
      typeof reference === 'string' ? components.schemas[reference.split('/').at(-1) ?? ''] : node;
    return { type: named?.['type'], isNullable: named?.['nullable'] };
  };

  it('has every value that may be null marked as nullable', () => {
    const places = [...nodesOf(newer.components.schemas)].flatMap(({ at, node }) => {
      const choices = node['oneOf'] as Node[] | undefined;
      const [kind] = choices?.filter(({ type }) => type !== 'null') ?? [];
      return choices?.length === 2 && choices.some(({ type }) => type === 'null') && kind !== undefined
        ? [{ at, type: (typeIn(newer, kind) as { type: unknown }).type }]
        : [];
    });
    expect(places.length).toBeGreaterThan(3);
    for (const { at, type } of places) {
      const node = at
        .split('/')
        .slice(1)
        .reduce<Node | undefined>((found, key) => found?.[key] as Node | undefined, older.components.schemas);
      if (node !== undefined) expect([at, typeIn(older, node)]).toEqual([at, { type, isNullable: true }]);
    }
  });
});
