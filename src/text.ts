// Values from outside that PostgreSQL could not store: NUL characters, halves of surrogate pairs, endless numbers.

const suspicious = /\\u(?:0000|d[89a-f])/i;

/** Whether JSON text can be stored, given what it parsed to; cheap unless the text has suspicious escapes. */
export function isStorableJson(text: string, parsed: unknown): boolean {
  return !suspicious.test(text) || isStorable(parsed);
}

/** Levels of nesting beyond which a value is refused; nobody means it, and much that walks it would overflow. */
const deepest = 64;

/** Whether every string and number within the value, names of fields included, can be stored. */
export function isStorable(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepest || !level.every(isStorableItself)) return false;
    level = level.flatMap((item): unknown[] =>
      item === null || typeof item !== 'object' ? [] : Object.entries(item).flat(),
    );
  }
  return true;
}

function isStorableItself(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed();
  return typeof value !== 'number' || Number.isFinite(value);
}
