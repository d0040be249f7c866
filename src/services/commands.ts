// What agents are asked to do: made here, taken over by a job, ended by what the agent reports.
import type { components, operations } from '../../generated/platform.d.ts';
import type { Ctx } from '../context.ts';
import { Command, GameInstance } from '../entities/index.ts';
import { notFound } from '../errors.ts';
import { enqueueRelay } from '../jobs/enqueue.ts';
import { pageOf } from './page.ts';

type Schemas = components['schemas'];
type ListQuery = NonNullable<operations['listCommands']['parameters']['query']>;
export type CommandRow = Awaited<ReturnType<Commands['get']>>;

/** An agent that is away for longer than this will not surprise anybody with an old command. */
const commandLifetimeMs = 60 * 60_000;

const pollMs = 100;

const columns = [
  'id',
  'instance_id',
  'kind',
  'status',
  'detail',
  'error_code',
  'requested_by',
  'created_at',
  'sent_at',
  'acknowledged_at',
  'finished_at',
  'expires_at',
] as const;

export class Commands {
  async list(ctx: Ctx, query: ListQuery) {
    return ctx.read((queries) => {
      let commands = queries.selectFrom('command').select(columns);
      if (query.instance_id !== undefined) commands = commands.where('instance_id', '=', query.instance_id);
      if (query.status !== undefined) commands = commands.where('status', '=', query.status);
      return pageOf(commands, query, 'desc');
    });
  }

  async get(ctx: Ctx, id: string) {
    const command = await ctx.read((queries) =>
      queries.selectFrom('command').select(columns).where('id', '=', id).executeTakeFirst(),
    );
    if (command === undefined) throw notFound('command');
    return command;
  }

  /** Writes the command and the job that relays it. It reaches the agent once this has committed. */
  async create(ctx: Ctx, instanceId: string, kind: Schemas['CommandKind']): Promise<CommandRow> {
    return ctx.transact(async (em) => {
      const instance = await em.findOne(GameInstance, instanceId);
      if (instance === null) throw notFound('instance');
      const command = em.create(Command, {
        hostId: instance.hostId,
        instanceId,
        kind,
        args: {},
        requestedBy: ctx.actor,
        expiresAt: new Date(Date.now() + commandLifetimeMs),
      });
      await em.flush();
      await enqueueRelay(em, instance.hostId);
      return rowOf(command);
    });
  }

  /** The command once it has ended, or as far as it has come after `seconds`. Never called inside a transaction. */
  async waitForEnd(ctx: Ctx, id: string, seconds: number): Promise<CommandRow> {
    const deadline = Date.now() + seconds * 1000;
    for (;;) {
      const command = await this.get(ctx, id);
      const leftMs = deadline - Date.now();
      if (command.finished_at !== null || leftMs <= 0) return command;
      await new Promise((resolve) => setTimeout(resolve, Math.min(pollMs, leftMs)));
    }
  }
}

function rowOf(command: Command): CommandRow {
  return {
    id: command.id,
    instance_id: command.instanceId,
    kind: command.kind,
    status: command.status,
    detail: command.detail ?? null,
    error_code: command.errorCode ?? null,
    requested_by: command.requestedBy ?? null,
    created_at: command.createdAt.toISOString(),
    sent_at: command.sentAt?.toISOString() ?? null,
    acknowledged_at: command.acknowledgedAt?.toISOString() ?? null,
    finished_at: command.finishedAt?.toISOString() ?? null,
    expires_at: command.expiresAt.toISOString(),
  };
}
