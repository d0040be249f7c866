// Finds the values of a configuration that differ on a server.
import { escaped } from './json-text.ts';
import type { Remark } from './reading.ts';
import { maxRemarks } from './remarks.ts';
import { fieldOf, isMap, type Schema } from './schema.ts';
import type { ConfigValue } from './wanted.ts';

type Plain = Readonly<Record<string, ConfigValue>>;

/**
 * Configured values that differ in the read configuration. Maps and lists must match entirely; other objects may hold
 * more.
 */
export function differencesIn(schema: Schema, wanted: ConfigValue, found: ConfigValue): Remark[] {
  const remarks: Remark[] = [];
  compare({ schema, wanted, found }, '', remarks);
  return remarks;
}

interface Pair {
  schema: Schema | undefined;
  wanted: ConfigValue;
  found: ConfigValue;
}

function compare({ schema, wanted, found }: Pair, pointer: string, remarks: Remark[]): void {
  if (wanted === undefined || remarks.length >= maxRemarks) return;
  if (typeof wanted === 'object' && wanted !== null && typeof found === 'object' && found !== null)
    compareParts({ schema, wanted, found }, pointer, remarks);
  else if (wanted !== found) remarks.push({ pointer, detail: inWords(found) });
}

function compareParts(
  { schema, wanted, found }: { schema: Schema | undefined; wanted: object; found: object },
  pointer: string,
  remarks: Remark[],
): void {
  const there = new Map<string, ConfigValue>(Object.entries(found));
  for (const [key, value] of Object.entries(wanted as Plain)) {
    const part = partOf(schema, key);
    if (part?.['x-kept'] === true) continue;
    const pair = { schema: part, wanted: value, found: there.get(key) };
    compare(pair, `${pointer}/${escaped(key)}`, remarks);
    there.delete(key);
  }
  if (!Array.isArray(found) && (schema === undefined || !isMap(schema))) return;
  for (const [key, value] of there)
    if (remarks.length < maxRemarks)
      remarks.push({ pointer: `${pointer}/${escaped(key)}`, detail: inWords(value) });
}

function partOf(schema: Schema | undefined, key: string): Schema | undefined {
  return schema?.items ?? (schema && (isMap(schema) ? schema.additionalProperties : fieldOf(schema, key)));
}

/** Maximum length, so that it fits on a line. */
const longest = 100;

function inWords(found: ConfigValue): string {
  if (found === undefined) return 'The server does not have it.';
  const text = JSON.stringify(found);
  return `The server has ${text.length > longest ? `${text.slice(0, longest)}…` : text}.`;
}
