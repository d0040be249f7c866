// Operations of the area `backups`.
import type { Schemas } from '../platform-contract/types.ts';
import type { BackupRow } from '../services/backups/index.ts';
import { accepting } from './commands.ts';
import { viewPage, type Handlers } from './handlers.ts';

export const backups = {
  listBackups: async (ctx, { path, query }) =>
    viewPage(await ctx.services.backups.list(ctx, path.instance_id, query ?? {}), viewBackup),
  createBackup: accepting((ctx, { path, body }) => ctx.services.backups.create(ctx, path.instance_id, body)),
  getBackup: async (ctx, { path }) => viewBackup(await ctx.services.backups.get(ctx, path)),
  updateBackup: async (ctx, { path, body }) => viewBackup(await ctx.services.backups.update(ctx, path, body)),
  deleteBackup: accepting((ctx, { path }) => ctx.services.backups.delete(ctx, path)),
  downloadBackup: async (ctx, { path }) => ctx.services.backups.download(ctx, path),
  restoreBackup: accepting((ctx, { path, body }) => ctx.services.backups.restore(ctx, path, body)),
  getBackupPolicy: async (ctx, { path }) => ({
    keep: await ctx.services.backups.policy(ctx, path.instance_id),
  }),
  updateBackupPolicy: async (ctx, { path, body }) => ({
    keep: await ctx.services.backups.updatePolicy(ctx, path.instance_id, body),
  }),
} satisfies Partial<Handlers>;

function viewBackup(backup: BackupRow): Schemas['InstanceBackup'] {
  return {
    id: backup.id,
    instance_id: backup.instance_id,
    kind: backup.kind,
    note: backup.note,
    is_pinned: backup.is_pinned ?? false,
    is_partial: backup.is_partial,
    paths: backup.paths,
    size: backup.size,
    content_size: backup.content_size,
    sha256: backup.sha256,
    files: backup.files,
    changed_files: backup.changed_files,
    left_out: backup.left_out,
    schedule_id: backup.schedule_id,
    created_at: backup.created_at,
  };
}
