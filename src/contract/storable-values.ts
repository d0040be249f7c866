// Detects values that PostgreSQL cannot store: NUL characters, lone surrogates, infinite numbers.

const suspicious = /\\u(?:0000|d[89a-f])/i;

/** Whether JSON text can be stored, given its parsed value; cheap unless the text has suspicious escapes. */
export function isStorableJson(text: string, parsed: unknown): boolean {
  return !suspicious.test(text) || isStorable(parsed);
}

/** Maximum nesting. No legitimate value is deeper, and recursive functions would overflow the stack. */
export const maxDepth = 64;

/** Whether every string and number in the value, including field names, can be stored. */
export function isStorable(value: unknown): boolean {
  return isStorableAt(value, 0);
}

/** Allocates nothing per list entry, because a small body can have very many entries. */
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

/** Counts the fields of all objects in the value; a name that occurs in several objects counts each time. */
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
