// Reads values from other programs: a value of an unexpected type counts as missing.

export type Fields = Readonly<Record<string, unknown>>;

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

export const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

export const flagOf = (value: unknown): boolean => value === true;

/** Windows PowerShell writes a list of one as its element, and an empty list as nothing. */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === null || value === undefined ? [] : [value];
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const bytesOfGB = 1024 ** 3;

/** Gigabytes with at most two decimals. */
export const gigabytes = (bytes: number | null): number | null =>
  bytes === null ? null : Math.round((bytes / bytesOfGB) * 100) / 100;

export const bytesOf = (gb: number): number => Math.round(gb * bytesOfGB);
