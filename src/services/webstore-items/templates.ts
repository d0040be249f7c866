// What the commands of items may hold: placeholders that there are, and quotes that are closed.
import { invalidField } from '../../errors.ts';

/** What an agent fills in, and nothing else. */
export const placeholders = ['steam_id', 'player_name', 'item_name', 'quantity', 'transaction_id'] as const;

const known: ReadonlySet<string> = new Set(placeholders);

/** As the game reads a line: a name by itself, what stands between quotes, or a word that has neither. */
const anyName = '\\{(?:player_name|item_name)\\}';
const word = `(?:${anyName}|"[^"']*"|(?:(?!${anyName})[^ "'])+)`;
const readAlike = new RegExp(`^ *${word}(?: +${word})* *$`);

/** Throws when a command could not be filled in. */
export function refuseBadTemplates(field: string, commands: readonly string[]): void {
  for (const [index, command] of commands.entries()) {
    const fault = faultOf(command);
    if (fault !== null) throw invalidField({ in: 'body', pointer: `/${field}/${index}`, detail: fault });
  }
}

/** What is wrong with the template, in words; null for nothing. */
export function faultOf(command: string): string | null {
  const rest = command.replace(/\{(\w+)\}/g, (whole, name: string) => (known.has(name) ? '' : whole));
  if (/[{}]/.test(rest))
    return `may have ${placeholders.map((name) => `{${name}}`).join(', ')} in braces only`;
  if ((command.match(/"/g) ?? []).length % 2 !== 0) return 'has a quote that is not closed';
  if (command.includes('\\')) return 'must not have a backslash';
  if (new RegExp(anyName).test(command) && !readAlike.test(command))
    return 'must have names as words of their own, or between quotes that are a word, and no apostrophes beside them';
  return command.trim() === '' ? 'is empty' : null;
}
