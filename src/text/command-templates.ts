// What console commands about players may hold: placeholders that are known, and quotes that are closed.

/** As the game reads a line: a name by itself, what stands between quotes, or a word that has neither. */
const anyName = '\\{(?:player_name|item_name)\\}';
const word = `(?:${anyName}|"[^"']*"|(?:(?!${anyName})[^ "'])+)`;
const hasName = new RegExp(anyName);
/** Whoever is called like a command must not give one. */
const beginsOpen = /^\s*(?:"[^"]*|[^\s"]*)\{/;
const readAlike = new RegExp(`^ *${word}(?: +${word})* *$`);

/** What is wrong with the template, in words; null for nothing. An agent fills in what is known, and nothing else. */
export function templateFault(template: string, known: readonly string[]): string | null {
  const rest = template.replace(/\{(\w+)\}/g, (whole, name: string) => (known.includes(name) ? '' : whole));
  if (/[{}]/.test(rest)) return `may have ${known.map((name) => `{${name}}`).join(', ')} in braces only`;
  if ((template.match(/"/g) ?? []).length % 2 !== 0) return 'has a quote that is not closed';
  if (template.includes('\\')) return 'must not have a backslash';
  if (beginsOpen.test(template)) return 'must begin with a command that has nothing in braces';
  if (hasName.test(template) && !readAlike.test(template))
    return 'must have names as words of their own, or between quotes that are a word, and no apostrophes beside them';
  return template.trim() === '' ? 'is empty' : null;
}
