// Operations of the area `automation`.
import type { Handlers } from './handlers.ts';

export const automation = {
  getAutomation: async (ctx) => ctx.services.automation.get(),
  updateAutomation: async (ctx, { body }) => ctx.services.automation.update(body),
  sendTestNotification: async (ctx) => ctx.services.automation.sendTest(),
} satisfies Partial<Handlers>;
