// Validates console command templates about players: known placeholders and closed quotes.

/** Parts of a line as the game parses it: a name by itself, a quoted text, or a word without either. */
const anyName = '\\{(?:player_name|item_name)\\}';
const word = `(?:${anyName}|"[^"']*"|(?:(?!${anyName})[^ "'])+)`;
const hasName = new RegExp(anyName);
/** Prevents command injection: a player's name must not become the command. */
const beginsOpen = /^\s*(?:"[^"]*|[^\s"]*)\{/;
const readAlike = new RegExp(`^ *${word}(?: +${word})* *$`);

/** Returns what is wrong with the template; null if it is valid. An agent fills in only the known placeholders. */
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
