// Validates command templates of items: known placeholders and closed quotes.
import { templateFault } from '../../../text/command-templates.ts';
import { invalidField } from '../../../errors.ts';

/** The placeholders that an agent fills in. */
const placeholders = ['steam_id', 'player_name', 'item_name', 'quantity', 'transaction_id'] as const;

/** Throws if a command has an unknown placeholder or an unclosed quote. */
export function refuseBadTemplates(field: string, commands: readonly string[]): void {
  for (const [index, command] of commands.entries()) {
    const fault = templateFault(command, placeholders);
    if (fault !== null) throw invalidField({ in: 'body', pointer: `/${field}/${index}`, detail: fault });
  }
}
