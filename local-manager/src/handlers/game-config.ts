// Operations of the area `game-config`.
import type { Handlers } from './handlers.ts';

export const gameConfig = {
  getGameConfig: async (ctx) => ctx.services.gameConfig.get(),
  updateGameConfig: async (ctx, { body, expectedHash }) =>
    ctx.services.gameConfig.update(body.changes, expectedHash),
  getGameConfigFiles: async (ctx) => ctx.services.gameConfig.getFiles(),
  updateGameConfigFiles: async (ctx, { body, expectedHash }) =>
    ctx.services.gameConfig.updateFiles(body, expectedHash),
  deployGameConfig: async (ctx) => ctx.services.gameConfig.deploy(),
} satisfies Partial<Handlers>;
