// Which operations of the contract the panel uses; every other one has a reason here, and the list only shrinks.
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { operations } from '../support/contract.ts';
import { root } from '../support/contract.ts';
import { unusedOperations } from './support/unused-operations.ts';

const sources = globSync('panel/src/**/*.{ts,tsx}', { cwd: root }).map((file) =>
  readFileSync(resolve(root, file), 'utf8'),
);

/** Names of operations as the panel's own functions take them; a path is never put together from parts. */
function usedOperations(): Set<string> {
  const used = new Set<string>();
  for (const text of sources) {
    for (const [, path = ''] of text.matchAll(
      /\b(?:useRead|useDocument|usePages|reading|read)\(\s*'(\/[^']+)'/g,
    ))
      used.add(`GET ${path}`);
    for (const [, name = ''] of text.matchAll(
      /\b(?:useWrite|write)\(\s*'((?:POST|PUT|PATCH|DELETE) \/[^']+)'/g,
    ))
      used.add(name);
    for (const [, method = '', path = ''] of text.matchAll(/\bclient\.([A-Z]+)\(\s*'(\/[^']+)'/g))
      used.add(`${method} ${path}`);
    if (/\bclient\.events\(/.test(text)) used.add('GET /api/events/stream');
    for (const [, path = '', method = ''] of text.matchAll(/\brequest\('(\/auth\/[^']+)', '([A-Z]+)'/g))
      used.add(`${method} ${path}`);
  }
  return used;
}

const nameOf = ({ method, path }: { method: string; path: string }) => `${method.toUpperCase()} ${path}`;

describe('the panel', () => {
  const used = usedOperations();
  const known = operations.map(nameOf);

  it('uses operations of the contract only', () => {
    expect([...used].filter((name) => !known.includes(name))).toEqual([]);
  });

  it('uses every operation that has no reason to be left out', () => {
    const listed = Object.values(unusedOperations).flat();
    const unused = known.filter((name) => !used.has(name) && !listed.includes(name));
    expect(unused.map((name) => `${name}: use it, or give a reason in unused-operations.ts`)).toEqual([]);
  });

  it('does not list what it uses, or what is gone', () => {
    const listed = Object.values(unusedOperations).flat();
    expect(listed.filter((name) => used.has(name) || !known.includes(name))).toEqual([]);
  });

  it('puts no path together from parts', () => {
    const built = sources.flatMap((text) => text.match(/`\/(?:api|auth)\/[^`]*\$\{[^`]*`/g) ?? []);
    expect(built).toEqual([]);
  });
});
