// Fills console commands about players in, so that no value can add, end or quote a command.
import { quoted } from '../rcon/frames.ts';

/** What may stand in braces. A name may be anything; the rest has been checked to be what it is. */
export interface Values {
  steam_id: string;
  player_name: string;
  item_name?: string;
  quantity?: number;
  transaction_id?: string;
}

/** Texts of strangers: each is one argument. */
const names = ['player_name', 'item_name'];
const placeholders = ['steam_id', 'quantity', 'transaction_id', 'player_name', 'item_name'] as const;

const isPlaceholder = (name: string): name is keyof Values => placeholders.some((known) => known === name);

/** As the game reads a line: a name by itself, what stands between quotes, or a word that has neither. */
const anyName = `\\{(?:${names.join('|')})\\}`;
const word = `(?:${anyName}|"[^"']*"|(?:(?!${anyName})[^ "'])+)`;
/** Whoever is called like a command must not give one. */
const beginsOpen = /^\s*(?:"[^"]*|[^\s"]*)\{/;
const readAlike = new RegExp(`^ *${word}(?: +${word})* *$`);

/** The commands in the order of the templates. Throws when a template is none: what is in braces is filled in or refused. */
export function filledIn(templates: readonly string[], values: Values): string[] {
  return templates.map((template) => fill(template, values));
}

/** Goes through the template once: what a value brings with it is never looked at again. */
function fill(template: string, values: Values): string {
  if (new RegExp(anyName).test(template) && !readAlike.test(template))
    throw new Error(
      'A name is a word of the command, or stands between quotes that are one, without apostrophes.',
    );
  if (beginsOpen.test(template)) throw new Error('The command begins with what is filled in.');
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
  if (value === undefined) throw new Error(`The command has {${name}}, which stands for nothing.`);
  if (!names.some((known) => known === name)) return String(value);
  return isQuoted ? quoted(String(value)).slice(1, -1) : quoted(String(value));
}
