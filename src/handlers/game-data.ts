// Operations of the area `game-data`.
import type { Handlers } from './handlers.ts';

export const gameData = {
  listGameItems: async (ctx, { query }) => Promise.resolve(ctx.services.gameData.items(query)),
  listGameContainers: async (ctx, { query }) => Promise.resolve(ctx.services.gameData.lootContainers(query)),
} satisfies Partial<Handlers>;
