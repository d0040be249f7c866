// Operations of the area `setup`.
import type { Handlers } from './handlers.ts';

export const setup = {
  getSetupProgress: async (ctx) => ctx.services.progress.get(),
  getPreflight: async (ctx) => ctx.services.preflight.get(),
  importVm: async (ctx, { body }) => ctx.services.importer.start(body),
  updateSetupSecurity: async (ctx, { body }) => ctx.services.lock.start(body),
  recoverKey: async (ctx, { body }) => ctx.services.keyRecovery.start(body),
  acceptHostKey: async (ctx, { body }) => ctx.services.hostKeys.accept(body.fingerprint),
  updateSetupNetwork: async (ctx, { body }) => ctx.services.network.start(body),
  startBootstrap: async (ctx, { body }) => ctx.services.bootstrap.start(body),
  startRepair: async (ctx, { body }) => ctx.services.bootstrap.repair(body),
  getResetPlan: async (ctx) => ({ items: await ctx.services.reset.plan() }),
  startReset: async (ctx, { body }) => ctx.services.reset.start(body?.confirm, body?.backup ?? false),
} satisfies Partial<Handlers>;
