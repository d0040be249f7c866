// Values from outside that PostgreSQL could not store: NUL characters, halves of surrogate pairs, endless numbers.

const suspicious = /\\u(?:0000|d[89a-f])/i;

/** Whether JSON text can be stored, given what it parsed to; cheap unless the text has suspicious escapes. */
export function isStorableJson(text: string, parsed: unknown): boolean {
  return !suspicious.test(text) || isStorable(parsed);
}

/** Levels of nesting beyond which a value is refused; nobody means it, and much that walks it would overflow. */
export const maxDepth = 64;

/** Whether every string and number within the value, names of fields included, can be stored. */
export function isStorable(value: unknown): boolean {
  return isStorableAt(value, 0);
}

/** Allocates nothing for the entries of a list, of which a small body may have very many. */
function isStorableAt(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return isStorableText(value);
  if (typeof value === 'number') return Number.isFinite(value);
  if (value === null || typeof value !== 'object') return true;
  if (depth >= maxDepth) return false;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1)
      if (!isStorableAt(value[index], depth + 1)) return false;
    return true;
  }
  for (const key of Object.keys(value)) {
    if (!isStorableText(key) || !isStorableAt((value as Record<string, unknown>)[key], depth + 1))
      return false;
  }
  return true;
}

const isStorableText = (text: string) => !text.includes('\0') && text.isWellFormed();

/** Names of fields within the value, as often as they occur in different objects. */
export function countFields(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) count += countFields(value[index]);
    return count;
  }
  for (const key of Object.keys(value)) count += 1 + countFields((value as Record<string, unknown>)[key]);
  return count;
}
