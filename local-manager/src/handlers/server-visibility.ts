// Operations of the area `server-visibility`.
import type { Handlers } from './handlers.ts';

export const serverVisibility = {
  getServerVisibility: async (ctx, { query }) => ctx.services.visibility.get(query?.detectPublicIp ?? false),
  updateServerVisibility: async (ctx, { body }) => ctx.services.visibility.update(body.advertisedIp),
  checkPorts: async (ctx) => ctx.services.portCheck.run(),
} satisfies Partial<Handlers>;
