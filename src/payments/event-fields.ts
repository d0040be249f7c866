// Reads fields of a provider's event without trusting its shape: an invalid field counts as absent.

export type Fields = Readonly<Record<string, unknown>>;

/** The last second of the year 9999. */
const lastSecond = 253_402_300_799;

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? { ...value } : {};

/** Text that the database can store and people can read. */
export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && /^[\x20-\x7e]{1,300}$/.test(value) ? value : null;

export const wholeOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;

/** Converts seconds since 1970. */
export function momentOf(value: unknown): Date | null {
  const seconds = wholeOf(value);
  return seconds === null || seconds > lastSecond ? null : new Date(seconds * 1000);
}

/** The id of a reference, whether it is an id or an expanded object. */
export const idOf = (reference: unknown): string | null =>
  textOf(reference) ?? textOf(fieldsOf(reference)['id']);
