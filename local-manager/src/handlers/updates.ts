// Operations of the area `updates`.
import type { Handlers } from './handlers.ts';

export const updates = {
  checkForUpdate: async (ctx, { query }) => ctx.services.updates.check(query?.refresh ?? false),
} satisfies Partial<Handlers>;
