// Operations of the area `plugin-events`.
import type { Handlers } from './handlers.ts';

export const pluginEvents = {
  submitPlayerEvent: async (ctx, { body }) => ({
    outcome: await ctx.services.pluginEvents.take(ctx, body),
  }),
  submitPlayerEvents: async (ctx, { body }) => ctx.services.pluginEvents.takeAll(ctx, body.events),
  downloadGameServerPlugin: async (ctx) => ctx.services.pluginEvents.download(),
} satisfies Partial<Handlers>;
