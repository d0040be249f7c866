// Operations of the area `power`.
import { accepting } from './commands.ts';
import type { Handlers } from './handlers.ts';

export const power = {
  startInstance: accepting((ctx, { path }) =>
    ctx.services.commands.create(ctx, path.instance_id, { verb: 'start' }),
  ),
  stopInstance: accepting((ctx, { path, query }) =>
    ctx.services.commands.create(ctx, path.instance_id, { verb: 'stop', args: { force: query.force } }),
  ),
  restartInstance: accepting((ctx, { path }) =>
    ctx.services.commands.create(ctx, path.instance_id, { verb: 'restart' }),
  ),
} satisfies Partial<Handlers>;
