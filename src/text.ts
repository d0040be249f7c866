// Values from outside that PostgreSQL could not store: NUL characters, halves of surrogate pairs, endless numbers.

const suspicious = /\\u(?:0000|d[89a-f])/i;

/** Whether JSON text can be stored, given what it parsed to; cheap unless the text has suspicious escapes. */
export function isStorableJson(text: string, parsed: unknown): boolean {
  return !suspicious.test(text) || isStorable(parsed);
}

/** Whether every string and number within the value, names of fields included, can be stored. */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed();
  if (typeof value === 'number') return Number.isFinite(value);
  if (value === null || typeof value !== 'object') return true;
  return Object.entries(value).every(([key, item]) => isStorable(key) && isStorable(item));
}
