// Operations of the area `power`.
import { viewAccepted } from './commands.ts';
import type { Handlers } from './handlers.ts';

export const power = {
  startInstance: async (ctx, { path, waitSeconds }) =>
    viewAccepted(
      ctx,
      await ctx.services.commands.create(ctx, path.instance_id, { verb: 'start' }),
      waitSeconds,
    ),
  stopInstance: async (ctx, { path, waitSeconds }) =>
    viewAccepted(
      ctx,
      await ctx.services.commands.create(ctx, path.instance_id, { verb: 'stop' }),
      waitSeconds,
    ),
  restartInstance: async (ctx, { path, waitSeconds }) =>
    viewAccepted(
      ctx,
      await ctx.services.commands.create(ctx, path.instance_id, { verb: 'restart' }),
      waitSeconds,
    ),
} satisfies Partial<Handlers>;
