// What generators of clients in other languages need of the published contracts, in both forms.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { root } from '../support/contract.ts';

type Node = Record<string, unknown>;

const forms = [
  'platform.openapi',
  'platform.openapi-3.0',
  'local-manager.openapi',
  'local-manager.openapi-3.0',
];

const documents = forms.map((name) => ({
  name,
  document: JSON.parse(readFileSync(resolve(root, `generated/${name}.json`), 'utf8')) as Node,
}));

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** Every object of the document with where it is, examples included. */
function* nodesOf(node: Node, at = '#'): Generator<{ at: string; node: Node }> {
  yield { at, node };
  for (const [key, value] of Object.entries(node)) if (isNode(value)) yield* nodesOf(value, `${at}/${key}`);
}

describe.each(documents)('$name', ({ document }) => {
  it('has what it says of enum values in arrays, in their order', () => {
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
