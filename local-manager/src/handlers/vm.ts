// Operations of the area `vm`.
import type { Handlers } from './handlers.ts';

export const vm = {
  startVm: async (ctx, { body }) => ctx.services.vm.start(body ?? {}),
  updateVmMemory: async (ctx, { body }) => ctx.services.vm.changeMemory(body.memoryGB),
  stopVm: async (ctx) => ctx.services.vm.stop(),
  switchVmOff: async (ctx) => ctx.services.vm.switchOff(),
} satisfies Partial<Handlers>;
