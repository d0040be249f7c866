// Shows what a game server receives for a command: the placeholders filled in with the values of an example.
export const placeholders = ['steam_id', 'player_name', 'item_name', 'quantity', 'transaction_id'] as const;

export type Placeholder = (typeof placeholders)[number];

export type Example = Readonly<Record<Placeholder, string>>;

/** Names are any text, so the agent makes each one quoted argument. */
const names: readonly string[] = ['player_name', 'item_name'];

export interface CommandPart {
  text: string;
  kind: 'plain' | 'value' | 'unknown';
}

const isPlaceholder = (name: string): name is Placeholder => placeholders.some((known) => known === name);

/** The command in parts, so that filled-in values and unknown braces can be marked. */
export function partsOf(command: string, example: Example): CommandPart[] {
  const parts: CommandPart[] = [];
  let isQuoted = false;
  for (const text of command.split(/("|\{\w*\}|[{}])/).filter((part) => part !== '')) {
    const name = /^\{(\w*)\}$/.exec(text)?.[1];
    if (text === '"') isQuoted = !isQuoted;
    if (name !== undefined && isPlaceholder(name)) {
      const value = example[name];
      parts.push({ text: names.includes(name) && !isQuoted ? `"${value}"` : value, kind: 'value' });
    } else parts.push({ text, kind: /[{}]/.test(text) ? 'unknown' : 'plain' });
  }
  return parts;
}
