// Operations of the area `game-config`.
import type { Handlers } from './handlers.ts';

export const gameConfig = {
  getGameConfig: async (ctx) => ctx.services.gameConfig.get(),
  updateGameConfig: async (ctx, { body, expectedHashes }) =>
    ctx.services.gameConfig.update(body.changes, expectedHashes),
  getGameConfigFiles: async (ctx) => ctx.services.gameConfig.getFiles(),
  updateGameConfigFiles: async (ctx, { body, expectedHashes }) =>
    ctx.services.gameConfig.updateFiles(body, expectedHashes),
  deployGameConfig: async (ctx) => ctx.services.gameConfig.deploy(),
} satisfies Partial<Handlers>;
