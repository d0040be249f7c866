// Operations of the area `server-logs`.
import type { Handlers } from './handlers.ts';

export const serverLogs = {
  listLogSources: async (ctx) => ({ data: await ctx.services.serverLogs.sources() }),
  getServerLog: async (ctx, { path, query }) =>
    ctx.services.serverLogs.read(path.sourceId, {
      search: query?.search,
      limit: query?.limit ?? 500,
      isPrevious: query?.previous ?? false,
    }),
} satisfies Partial<Handlers>;
