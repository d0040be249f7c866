// Operations of the area `monitoring`.
import type { Handlers } from './handlers.ts';

export const monitoring = {
  getMonitoring: async (ctx, { query }) => ctx.services.monitoring.get(query?.hours ?? 24),
} satisfies Partial<Handlers>;
