// Fills values into console command templates, so that no value can add, end or quote a command.
import { quoted } from '../rcon/frames.ts';

/** The allowed placeholders. Names are arbitrary text; the other values have been validated. */
export interface Values {
  steam_id: string;
  player_name: string;
  item_name?: string;
  quantity?: number;
  transaction_id?: string;
}

/** Untrusted text: each value is one argument. */
const names = ['player_name', 'item_name'];
const placeholders = ['steam_id', 'quantity', 'transaction_id', 'player_name', 'item_name'] as const;

const isPlaceholder = (name: string): name is keyof Values => placeholders.some((known) => known === name);

/** A word as the game parses it: a bare name placeholder, a quoted text, or text with neither quotes nor spaces. */
const anyName = `\\{(?:${names.join('|')})\\}`;
const word = `(?:${anyName}|"[^"']*"|(?:(?!${anyName})[^ "'])+)`;
/** A command must not begin with a filled-in value, or a player could choose the command by name. */
const beginsOpen = /^\s*(?:"[^"]*|[^\s"]*)\{/;
const readAlike = new RegExp(`^ *${word}(?: +${word})* *$`);

/** Returns the commands in template order. Throws for an invalid template: no placeholder stays unfilled. */
export function filledIn(templates: readonly string[], values: Values): string[] {
  return templates.map((template) => fill(template, values));
}

/** Substitutes in a single pass: placeholders inside a value are never expanded. */
function fill(template: string, values: Values): string {
  if (new RegExp(anyName).test(template) && !readAlike.test(template))
    throw new Error(
      'A name is a word of the command, or stands between quotes that are one, without apostrophes.',
    );
  if (beginsOpen.test(template)) throw new Error('The command begins with a placeholder.');
  let isQuoted = false;
  const command = template.replace(/"|\{(\w*)\}|[{}]/g, (found, name: string | undefined) => {
    if (found === '"') {
      isQuoted = !isQuoted;
      return found;
    }
    return valueOf(name ?? '', values, isQuoted);
  });
  if (isQuoted) throw new Error('A quote of the command is not closed.');
  return command;
}

function valueOf(name: string, values: Values, isQuoted: boolean): string {
  const value = isPlaceholder(name) ? values[name] : undefined;
  if (value === undefined) throw new Error(`The command has {${name}}, which is not a known placeholder.`);
  if (!names.some((known) => known === name)) return String(value);
  return isQuoted ? quoted(String(value)).slice(1, -1) : quoted(String(value));
}
