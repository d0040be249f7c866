// Operations of the area `plugin-events`.
import type { Handlers } from './handlers.ts';

export const pluginEvents = {
  createPlayerEvent: async (ctx, { body }) => ({
    outcome: await ctx.services.pluginEvents.take(ctx, body),
  }),
  createPlayerEvents: async (ctx, { body }) => ctx.services.pluginEvents.takeAll(ctx, body.events),
  downloadPlugin: async (ctx) => ctx.services.pluginEvents.download(),
} satisfies Partial<Handlers>;
