// Operations of the area `diagnostics`.
import type { Handlers } from './handlers.ts';

export const diagnostics = {
  downloadDiagnostics: async (ctx) => ctx.services.bundle.download(),
  getSelftest: async (ctx) => ctx.services.selftest.run(),
} satisfies Partial<Handlers>;
