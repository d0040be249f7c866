// Operations of the area `power`.
import type { Ctx } from '../context.ts';
import { Settling } from '../contract/operation.ts';
import type { CommandRow } from '../services/commands.ts';
import { viewCommand } from './commands.ts';
import type { Handlers } from './handlers.ts';

export const power = {
  startInstance: async (ctx, { path, headers }) =>
    viewAccepted(ctx, await ctx.services.commands.create(ctx, path.instance_id, 'start'), headers),
  stopInstance: async (ctx, { path, headers }) =>
    viewAccepted(ctx, await ctx.services.commands.create(ctx, path.instance_id, 'stop'), headers),
  restartInstance: async (ctx, { path, headers }) =>
    viewAccepted(ctx, await ctx.services.commands.create(ctx, path.instance_id, 'restart'), headers),
} satisfies Partial<Handlers>;

/** The command; its end, if the caller prefers to wait for that. */
function viewAccepted(ctx: Ctx, command: CommandRow, headers: { prefer?: string } | undefined) {
  const seconds = Number(/^wait=(\d+)$/.exec(headers?.prefer ?? '')?.[1] ?? 0);
  return new Settling(viewCommand(command), async () =>
    viewCommand(await ctx.services.commands.waitForEnd(ctx, command.id, seconds)),
  );
}
