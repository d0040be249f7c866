// Operations of the area `commands`.
import type { Schemas } from '../platform-contract/types.ts';
import { settlingWithin } from '../contract/replies.ts';
import { withoutUnseen, type CommandRow } from '../services/commands/index.ts';
import { viewPage, type HandlerContext, type Handlers } from './handlers.ts';

export const commands = {
  listCommands: async (ctx, { query }) =>
    viewPage(await ctx.services.commands.list(ctx, query), (command) => viewCommand(ctx, command)),
  getCommand: async (ctx, { path }) =>
    viewCommand(ctx, await ctx.services.commands.get(ctx, path.command_id)),
  cancelCommand: async (ctx, { path }) =>
    viewCommand(ctx, await ctx.services.commands.cancel(ctx, path.command_id)),
} satisfies Partial<Handlers>;

/**
 * Handles an operation that sends an agent a command: returns the command, and its result if the caller prefers to
 * wait.
 */
export function accepting<Request extends { waitSeconds: number }>(
  create: (ctx: HandlerContext, request: Request) => Promise<CommandRow>,
) {
  return async (ctx: HandlerContext, request: Request) => {
    const command = await create(ctx, request);
    return settlingWithin(request.waitSeconds, viewCommand(ctx, command), async () =>
      viewCommand(ctx, await ctx.services.commands.waitForEnd(ctx, command.id, request.waitSeconds)),
    );
  };
}

export function viewCommand(ctx: HandlerContext, stored: CommandRow): Schemas['Command'] {
  const command = withoutUnseen(ctx, stored);
  return {
    id: command.id,
    host_id: command.host_id,
    instance_id: command.instance_id,
    kind: command.kind,
    status: command.status === 'unconfirmed' ? 'sent' : command.status,
    ...viewOutcome(command),
    ...(command.output !== undefined && { output: command.output }),
    requested_by: command.requested_by,
    created_at: command.created_at,
    sent_at: command.sent_at,
    acknowledged_at: command.acknowledged_at,
    finished_at: command.finished_at,
    expires_at: command.expires_at,
  };
}

/** Both columns say why it failed, or describe its success. */
export function viewOutcome({
  error_code: code,
  detail,
}: Pick<CommandRow, 'error_code' | 'detail'>): Pick<Schemas['Command'], 'detail' | 'error'> {
  return code === null ? { detail, error: null } : { detail: null, error: { code, detail: detail ?? '' } };
}
