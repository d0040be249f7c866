// Operations of the area `operations`.
import type { OperationLine } from '../operations/operation-run.ts';
import type { Handlers } from './handlers.ts';

export const operations = {
  listOperations: async (ctx) => ({ data: [...ctx.services.operations.list()] }),
  getOperation: async (ctx, { path }) => ctx.services.operations.get(path.operationId),
  listOperationLines: async (ctx, { path, query }) =>
    viewLines(await ctx.services.operations.linesOf(path.operationId, query?.after ?? 0)),
  cancelOperation: async (ctx, { path }) => ctx.services.operations.cancel(path.operationId),
} satisfies Partial<Handlers>;

const viewLines = ({ lines, isTruncated }: { lines: OperationLine[]; isTruncated: boolean }) => ({
  data: lines,
  isTruncated,
});
