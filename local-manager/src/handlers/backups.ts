// Operations of the area `backups`.
import type { Handlers } from './handlers.ts';

export const backups = {
  listBackups: async (ctx) => ctx.services.backups.list(),
  createBackup: async (ctx) => ctx.services.backups.create(),
  deleteBackup: async (ctx, { path }) => ctx.services.backups.delete(path.backupId),
  downloadBackup: async (ctx, { path }) => ctx.services.backups.download(path.backupId),
  restoreBackup: async (ctx, { path, body }) => ctx.services.backups.restore(path.backupId, body?.confirm),
} satisfies Partial<Handlers>;
