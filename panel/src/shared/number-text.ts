// What a number field holds: a number, nothing, or a text that is not a number yet.

/** `''` while the field is empty; any other text is what was typed, and is not a number. */
export type NumberValue = number | string;

/** Either mark of decimals, and exponents as JavaScript writes very large and very small numbers. */
const form = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** The number that a text means; a text that means none stays unchanged. */
export function numberIn(text: string): NumberValue {
  const trimmed = text.trim().replace(',', '.');
  if (trimmed === '') return '';
  const number = form.test(trimmed) ? Number(trimmed) : Number.NaN;
  return Number.isFinite(number) ? number : text;
}

/** The text of the field: what was typed as long as it means the value, else the value itself. */
export const textFor = (typed: string | null, value: NumberValue): string =>
  typed !== null && numberIn(typed) === value ? typed : String(value);

/** Why a value cannot be sent; null if it can. */
export function faultOfNumber(
  value: NumberValue,
  { isWhole, isOptional }: { isWhole: boolean; isOptional: boolean },
): 'missing' | 'notANumber' | 'notWhole' | null {
  if (value === '') return isOptional ? null : 'missing';
  if (typeof value === 'string') return 'notANumber';
  return isWhole && !Number.isInteger(value) ? 'notWhole' : null;
}

/** The number one step further, within the limits. */
export function stepped(value: NumberValue, by: number, min: number, max: number): number {
  const next = typeof value === 'number' ? Number((value + by).toPrecision(15)) : Math.max(0, min);
  return Math.min(Math.max(next, min), max);
}

/** The number for a request; forms send nothing while a field holds none. */
export const sendable = (value: NumberValue): number => (typeof value === 'number' ? value : Number.NaN);
