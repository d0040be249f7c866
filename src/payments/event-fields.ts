// Reads what a provider's event holds, whatever form it has come in: what is not as it should be counts as not there.

export type Fields = Readonly<Record<string, unknown>>;

/** The last second that four digits of a year can name. */
const lastSecond = 253_402_300_799;

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? { ...value } : {};

/** Such as the database keeps, and people read. */
export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && /^[\x20-\x7e]{1,300}$/.test(value) ? value : null;

export const wholeOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;

/** From seconds since 1970. */
export function momentOf(value: unknown): Date | null {
  const seconds = wholeOf(value);
  return seconds === null || seconds > lastSecond ? null : new Date(seconds * 1000);
}

/** What is meant, be it named or given whole. */
export const idOf = (reference: unknown): string | null =>
  textOf(reference) ?? textOf(fieldsOf(reference)['id']);
