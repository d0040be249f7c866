// Operations of the area `vm`.
import type { Handlers } from './handlers.ts';

export const vm = {
  startVm: async (ctx, { body }) => ctx.services.vm.start(body?.memoryGB),
  stopVm: async (ctx, { body }) => ctx.services.vm.stop(body?.turnOff === true),
} satisfies Partial<Handlers>;
