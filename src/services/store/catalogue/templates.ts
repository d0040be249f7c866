// What the commands of items may hold: placeholders that there are, and quotes that are closed.
import { templateFault } from '../../../text/command-templates.ts';
import { invalidField } from '../../../errors.ts';

/** What an agent fills in, and nothing else. */
const placeholders = ['steam_id', 'player_name', 'item_name', 'quantity', 'transaction_id'] as const;

/** Throws when a command could not be filled in. */
export function refuseBadTemplates(field: string, commands: readonly string[]): void {
  for (const [index, command] of commands.entries()) {
    const fault = templateFault(command, placeholders);
    if (fault !== null) throw invalidField({ in: 'body', pointer: `/${field}/${index}`, detail: fault });
  }
}
