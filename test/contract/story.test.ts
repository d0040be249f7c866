// The examples of the contract share one story: the same license, host, server, player and shop throughout.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { contract, root } from '../support/contract.ts';

interface Thing {
  id: string;
  fields?: string[];
  schemas?: string[];
}

const { values, ...things } = parse(readFileSync(join(root, 'openapi/story.yaml'), 'utf8')) as Record<
  string,
  Thing
> & { values: Record<string, string[]> };
const allThings = Object.values(things as Record<string, Thing>);
const nameOf = new Map(Object.entries(things as Record<string, Thing>).map(([name, { id }]) => [id, name]));

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

interface Leaf {
  place: string;
  field: string;
  value: string;
}

/** Every text in an example, with the field that holds it; entries of lists belong to the list's field, in the singular. */
function leavesOf(value: unknown, place: string, field: string): Leaf[] {
  if (typeof value === 'string') return [{ place, field, value }];
  if (Array.isArray(value))
    return value.flatMap((item) => leavesOf(item, place, field.replace(/_ids$/, '_id')));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => leavesOf(item, `${place}/${key}`, key));
}

/** Every example at any depth of the document; plugin configurations have examples of the plugins' authors. */
function examplesOf(node: unknown, place: string, name: string): Leaf[] {
  if (Array.isArray(node)) return node.flatMap((item, index) => examplesOf(item, `${place}/${index}`, name));
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]: [string, unknown]) => {
    const here = `${place}/${key}`;
    if (key === 'example') return leavesOf(value, here, (node as { name?: string }).name ?? name);
    if (key === 'examples' && !Array.isArray(value))
      return Object.values(value as object).flatMap((item: { value?: unknown }) =>
        leavesOf(item.value, here, name),
      );
    return examplesOf(value, here, key);
  });
}

const leaves = examplesOf(contract, '', '');

it('gives each thing one ID, which belongs to nothing else', () => {
  expect(new Set(allThings.map(({ id }) => id)).size).toBe(allThings.length);
});

it('has every ID of the examples', () => {
  const unknown = leaves.filter(({ value }) => uuid.test(value) && !nameOf.has(value));
  expect(unknown.map(({ place, value }) => `${place}: ${value}`)).toEqual([]);
});

it('uses the ID of the same thing wherever a field names it', () => {
  const expected = new Map<string, string[]>();
  for (const { id, fields = [] } of allThings)
    for (const field of fields) expected.set(field, [...(expected.get(field) ?? []), id]);
  const wrong = leaves.filter(
    ({ field, value }) => uuid.test(value) && field !== 'id' && expected.get(field)?.includes(value) !== true,
  );
  expect(
    wrong
      .filter(({ field }) => expected.has(field) || field.endsWith('_id'))
      .map(({ place, value }) => `${place}: ${nameOf.get(value) ?? value}`),
  ).toEqual([]);
});

it('names things by the same values throughout', () => {
  const wrong = leaves.filter(({ field, value }) => values[field]?.includes(value) === false);
  expect(wrong.map(({ place, value }) => `${place}: ${value}`)).toEqual([]);
});

it('has the ID of each schema in its example', () => {
  const wrong = Object.entries(things as Record<string, Thing>).flatMap(([name, { id, schemas = [] }]) =>
    schemas.flatMap((schema) => {
      const example = contract.components.schemas[schema]?.example as { id?: string } | undefined;
      return example?.id === id ? [] : [`${name}: ${schema} has ${String(example?.id)}`];
    }),
  );
  expect(wrong).toEqual([]);
});
