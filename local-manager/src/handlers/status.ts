// Operations of the area `status`.
import type { Handlers } from './handlers.ts';

export const status = {
  getStatus: async (ctx) => ctx.services.status.get(),
} satisfies Partial<Handlers>;
