// Operations of the area `console`.
import type { Schemas } from '../platform-contract/types.ts';
import type { IssuedTicket } from '../services/console/index.ts';
import { accepting } from './commands.ts';
import type { Handlers } from './handlers.ts';

export const console = {
  runConsoleCommand: accepting((ctx, { path, body }) =>
    ctx.services.consoleCommands.run(ctx, path.instance_id, body.line),
  ),
  createConsoleTicket: async (ctx, { path }) =>
    viewTicket(await ctx.services.console.create(ctx, path.instance_id)),
} satisfies Partial<Handlers>;

function viewTicket({ ticket, instanceId, expiresAt, canInput }: IssuedTicket): Schemas['ConsoleTicket'] {
  return {
    ticket,
    url: `/api/instances/${instanceId}/console?ticket=${ticket}`,
    expires_at: expiresAt.toISOString(),
    may_input: canInput,
  };
}
