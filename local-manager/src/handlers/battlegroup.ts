// Operations of the area `battlegroup`.
import type { Handlers } from './handlers.ts';

export const battlegroup = {
  getBattlegroup: async (ctx) => ctx.services.battlegroups.get(),
  startBattlegroup: async (ctx) => ctx.services.battlegroups.start(),
  stopBattlegroup: async (ctx) => ctx.services.battlegroups.stop(),
  restartBattlegroup: async (ctx) => ctx.services.battlegroups.restart(),
  updateBattlegroup: async (ctx) => ctx.services.battlegroups.update(),
  createBattlegroupBackup: async (ctx) => ctx.services.battlegroups.backUp(),
  sendAnnouncement: async (ctx, { body }) => ctx.services.automation.announce(body.text),
} satisfies Partial<Handlers>;
