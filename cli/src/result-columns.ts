// Checks chosen columns against the contract, so that a misspelled one is refused before the request takes effect.
import { isPage, typesOf, type Schema } from '../../shared/openapi/schema.ts';
import type { Contract, Operation } from './contract.ts';
import type { UnknownColumns } from './output.ts';

/**
 * The columns that no result of the operation has. A caller who waits gets what the operation has started, which is the
 * result or a property of it.
 */
export function columnsMissing(
  contract: Contract,
  { success }: Operation,
  columns: readonly string[],
  { waits = false } = {},
): UnknownColumns {
  const { type, schema } = success;
  if (schema === undefined || type === undefined || !/[/+]json$/.test(type))
    return { missing: [], present: [] };
  const results = waits ? [schema, ...Object.values(schema.properties ?? {})] : [schema];
  const rows = results.flatMap((result) => rowsOf(contract, result));
  return {
    missing: columns.filter((name) => !rows.some((row) => canHave(contract, row, name))),
    present: [...new Set(rows.flatMap((row) => namesOf(contract, row)))],
  };
}

/** The schemas of the rows that a result is printed as. */
function rowsOf(contract: Contract, schema: Schema): Schema[] {
  return alternativesOf(contract, schema).flatMap((result) => {
    if (isPage(result)) return entriesOf(contract, result.properties?.['data']);
    if (typesOf(result).includes('array')) return entriesOf(contract, result);
    // An object whose only value is a list is printed as that list.
    const required = result.required ?? [];
    const soleLists = Object.entries(result.properties ?? {})
      .filter(([name]) => required.every((other) => other === name))
      .flatMap(([, list]) => entriesOf(contract, list));
    return [result, ...soleLists];
  });
}

/** Entries that are no objects have the column `value`. */
const entriesOf = (contract: Contract, schema: Schema | undefined): Schema[] =>
  alternativesOf(contract, schema)
    .filter((list) => typesOf(list).includes('array'))
    .flatMap(({ items }) => alternativesOf(contract, items))
    .map((entry) => (isObject(entry) ? entry : { properties: { value: entry } }));

const isObject = (schema: Schema): boolean =>
  schema.properties !== undefined || typesOf(schema).includes('object') || typesOf(schema).length === 0;

/** What a value of the schema can be; fields beside alternatives belong to each. */
function alternativesOf(contract: Contract, schema: Schema | undefined): Schema[] {
  const merged = contract.merged(schema);
  const alternatives = merged.oneOf ?? merged.anyOf;
  if (alternatives === undefined) return [merged];
  const { oneOf: _oneOf, anyOf: _anyOf, ...own } = merged;
  return alternatives.flatMap((each) => alternativesOf(contract, { allOf: [own, each] }));
}

function canHave(contract: Contract, schema: Schema, name: string): boolean {
  return alternativesOf(contract, schema).some((each) => {
    if (typesOf(each).includes('array') && canHave(contract, each.items ?? {}, name)) return true;
    if (!isObject(each)) return false;
    const { properties, additionalProperties } = each;
    // The contract lists all fields of its objects; those without a list have fields of any name.
    if (additionalProperties === undefined ? properties === undefined : additionalProperties !== false)
      return true;
    if (properties === undefined) return false;
    if (Object.hasOwn(properties, name)) return true;
    const [first = '', ...rest] = name.split('.');
    const field = properties[first];
    return rest.length > 0 && field !== undefined && canHave(contract, field, rest.join('.'));
  });
}

const namesOf = (contract: Contract, schema: Schema): string[] =>
  alternativesOf(contract, schema).flatMap(({ properties }) => Object.keys(properties ?? {}));
