// One spelling of the line separators in patterns, for comparing contracts that differ in it alone.

/** Patterns match the same texts with a line separator as with its escape, which Go and PHP cannot compile. */
export function inOneSpelling(json: string): string {
  return json.replaceAll(String.raw`\\u2028`, '\u2028').replaceAll(String.raw`\\u2029`, '\u2029');
}
