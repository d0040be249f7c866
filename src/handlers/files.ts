// Operations of the area `files`.
import type { Schemas } from '../platform-contract/types.ts';
import { Versioned } from '../contract/replies.ts';
import type { FileRow, StoredRow } from '../services/files/index.ts';
import { accepting } from './commands.ts';
import { viewPage, type Handlers } from './handlers.ts';

export const files = {
  listFiles: async (ctx, { path, query }) =>
    viewPage(await ctx.services.files.list(ctx, path.instance_id, query ?? {}), viewFile),
  getFileMetadata: async (ctx, { path, query }) =>
    viewFile(await ctx.services.files.stat(ctx, path.instance_id, query.path)),
  renameFile: async (ctx, { path, query, body }) =>
    viewFile(await ctx.services.files.rename(ctx, path.instance_id, query.path, body)),
  deleteFile: async (ctx, { path, query }) => ctx.services.files.delete(ctx, path.instance_id, query),
  readFile: async (ctx, { path, query }) => {
    const { content, ...file } = await ctx.services.files.read(ctx, path.instance_id, query.path);
    return new Versioned({ ...viewStored(file), content }, file.sha256);
  },
  writeFile: async (ctx, { path, query, body, expectedHashes }) => {
    const file = await ctx.services.files.write(ctx, path.instance_id, { ...query, ...body }, expectedHashes);
    return new Versioned(viewStored(file), file.sha256);
  },
  createDirectory: async (ctx, { path, query }) =>
    viewFile(await ctx.services.files.makeDirectory(ctx, path.instance_id, query.path)),
  downloadFile: async (ctx, { path, query }) =>
    ctx.services.files.download(ctx, path.instance_id, query.path),
  uploadFile: async (ctx, { path, query, bodyStream }) =>
    viewStored(await ctx.services.files.upload(ctx, path.instance_id, query, bodyStream)),
  archiveFiles: accepting((ctx, { path, body }) => ctx.services.files.archive(ctx, path.instance_id, body)),
  extractArchive: accepting((ctx, { path, body }) => ctx.services.files.extract(ctx, path.instance_id, body)),
} satisfies Partial<Handlers>;

function viewFile({ name, path, kind, size, modified_at }: FileRow): Schemas['InstanceFile'] {
  return { name, path, kind, size: size ?? null, modified_at };
}

function viewStored({ path, size, sha256, modified_at }: StoredRow): Schemas['WrittenFile'] {
  return { path, size, sha256, modified_at };
}
