// Commands to agents: created here, relayed by a job, and completed by agents' reports.
import { setTimeout } from 'node:timers/promises';
import type { Announcements } from '../../bus/announcements.ts';
import type { CommandVerb } from '../../platform-contract/bus-types.ts';
import type { Ctx } from '../../context.ts';
import type { Query } from '../../platform-contract/types.ts';
import type { EntityManager } from '../../database/connection.ts';
import { refusing } from '../../database/faults.ts';
import type { Queries } from '../../database/reader.ts';
import { Command, GameInstance } from '../../entities/index.ts';
import { notFound } from '../../errors.ts';
import { enqueueRelay } from '../../queue/enqueue.ts';
import { refuseUnlessCapable } from '../../preconditions/capabilities.ts';
import { refuseBeyond, type Limit } from '../../preconditions/limits.ts';
import { byId, pageOf } from '../../lists/page.ts';
import { grants } from '../auth/role-permissions.ts';
import { refuseWhileWiped } from '../wipes/refusals.ts';
import { cancelQueued } from './cancellation.ts';

type KnownCommand = Awaited<ReturnType<typeof commandOf>>;

/** Lists omit the output. */
export type CommandRow = Omit<KnownCommand, 'output'> & Partial<Pick<KnownCommand, 'output'>>;

export type InstanceCommandRow = CommandRow & { instance_id: string };

/** What an agent should do with an instance. */
export interface Request {
  verb: CommandVerb;
  args?: Record<string, unknown>;
  /** How long the command may wait for its agent; the default is one hour. */
  lifetimeMs?: number;
  /** The name of the requester; the default is the caller. */
  requestedBy?: string;
}

interface IssuedRequest extends Omit<Request, 'requestedBy'> {
  /** An absolute deadline instead of a lifetime. */
  expiresAt?: Date;
  /** The requester's human-readable name; null when no user requested the command. */
  requestedBy: string | null;
}

/** The announcement that a command has ended. */
export interface CommandEnd {
  command_id: string;
}

/** An agent that reconnects after this time does not run the old command. */
export const commandLifetimeMs = 60 * 60_000;
/** Maximum waiting commands per agent; a caller who reaches it has not noticed that the agent is offline. */
export const maxWaitingPerHost = 100;
/** How often to recheck, in case an announcement was lost. */
const recheckMs = 1_000;

const columns = [
  'id',
  'host_id',
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
  readonly #ends: Announcements<CommandEnd>;

  constructor(ends: Announcements<CommandEnd>) {
    this.#ends = ends;
  }

  async list(ctx: Ctx, query: Query<'listCommands'>) {
    return ctx.read((queries) => {
      let commands = queries.selectFrom('command').select(columns);
      if (query.instance_id !== undefined) commands = commands.where('instance_id', '=', query.instance_id);
      if (query.status !== undefined)
        commands = commands.where(
          'status',
          'in',
          query.status === 'sent' ? ['sent', 'unconfirmed'] : [query.status],
        );
      return pageOf(commands, query, byId('id', 'desc'));
    });
  }

  async get(ctx: Ctx, id: string): Promise<KnownCommand> {
    return ctx.read((queries) => commandOf(queries, id));
  }

  /** Writes the command and the job that relays it. The relay starts once the transaction commits. */
  async create(ctx: Ctx, instanceId: string, request: Request): Promise<InstanceCommandRow> {
    return ctx.transact((em, queries) =>
      issueCommand(em, queries, instanceId, { requestedBy: ctx.actor?.label ?? null, ...request }),
    );
  }

  /** Ends a command that was never sent to its agent. Cancelling it again returns it unchanged. */
  async cancel(ctx: Ctx, id: string): Promise<KnownCommand> {
    const cancelled = await ctx.transact(async (em, queries) => {
      const command = await em.findOne(Command, id);
      if (command === null) throw notFound('command');
      await cancelQueued(ctx, em, command);
      return commandOf(queries, id);
    });
    this.#ends.announce({ command_id: id });
    return cancelled;
  }

  /**
   * Returns the command once it has ended, or its current state after `seconds`. Never call it inside a transaction.
   */
  async waitForEnd(ctx: Ctx, id: string, seconds: number): Promise<CommandRow> {
    const deadline = Date.now() + seconds * 1000;
    let woken = Promise.withResolvers<void>();
    const stopListening = this.#ends.on(({ command_id }) => {
      if (command_id === id) woken.resolve();
    });
    try {
      for (;;) {
        const command = await this.get(ctx, id);
        const leftMs = deadline - Date.now();
        if (command.finished_at !== null || leftMs <= 0) return command;
        await Promise.race([woken.promise, setTimeout(Math.min(recheckMs, leftMs))]);
        woken = Promise.withResolvers<void>();
      }
    } finally {
      stopListening();
    }
  }
}

/** Commands whose `detail` may contain console input or output. */
const verbsWithConsoleText: ReadonlySet<string> = new Set<CommandVerb>(['type', 'type_lines']);

/** Whether the caller may read the `detail` of a command of this kind. */
export const canSeeDetail = ({ license }: Ctx, kind: string): boolean =>
  !verbsWithConsoleText.has(kind) || grants(license.permissions, 'console.view');

/** Removes the fields that require permission to watch the console. */
export function withoutUnseen(ctx: Ctx, command: CommandRow): CommandRow {
  if (canSeeDetail(ctx, command.kind)) return command;
  return { ...command, detail: null, ...(command.output !== undefined && { output: null }) };
}

/** Writes a command and the job that relays it, within the caller's transaction of a license. */
export async function issueCommand(
  em: EntityManager,
  queries: Queries,
  instanceId: string,
  request: IssuedRequest,
): Promise<InstanceCommandRow> {
  const instance = await em.findOne(GameInstance, instanceId);
  if (instance === null) throw goneInstance();
  refuseUnlessCapable(instance, request.verb);
  await refuseWhileWiped(em, instanceId, request.verb);
  await refuseBeyond(em, waitingLimit(em, instance.hostId));
  const command = newCommand(em, instance, request);
  await refusing(
    { command_license_id_instance_id_fkey: goneInstance, command_license_id_host_id_fkey: goneInstance },
    () => em.flush(),
  );
  await enqueueRelay(em, instance.hostId);
  return { ...(await commandOf(queries, command.id)), instance_id: instanceId };
}

/** As `issueCommand`, for an instance that has no row yet. */
export async function issueHostCommand(
  em: EntityManager,
  queries: Queries,
  { hostId, instanceName, request }: { hostId: string; instanceName: string; request: IssuedRequest },
): Promise<CommandRow> {
  await refuseBeyond(em, waitingLimit(em, hostId));
  const command = newCommand(em, { id: null, name: instanceName, hostId }, request);
  await refusing({ command_license_id_host_id_fkey: () => notFound('host') }, () => em.flush());
  await enqueueRelay(em, hostId);
  return commandOf(queries, command.id);
}

/**
 * Creates a command that the next flush writes. The caller checks the limit before and enqueues the relay afterwards.
 */
export function newCommand(
  em: EntityManager,
  { id: instanceId, name, hostId }: { id: string | null; name?: string; hostId: string },
  {
    verb,
    args = {},
    lifetimeMs = commandLifetimeMs,
    expiresAt = new Date(Date.now() + lifetimeMs),
    requestedBy,
  }: IssuedRequest,
): Command {
  return em.create(Command, {
    hostId,
    instanceId,
    instanceName: instanceId === null ? (name ?? null) : null,
    kind: verb,
    args,
    requestedBy,
    expiresAt,
  });
}

/** The maximum number of waiting commands of a host. */
export function waitingLimit(em: EntityManager, hostId: string): Limit {
  return {
    ...waitingBounds(hostId),
    count: () => em.count(Command, { hostId, status: { $in: ['queued', 'sent'] } }),
  };
}

export const waitingBounds = (hostId: string): Omit<Limit, 'count'> => ({
  subject: `commands ${hostId}`,
  max: maxWaitingPerHost,
  detail: `${maxWaitingPerHost} commands are waiting for the agent of this host; try again once it has taken some.`,
});

const goneInstance = () => notFound('instance');

/** In the order of their hosts, without output. */
export async function commandsWithIds(queries: Queries, ids: readonly string[]): Promise<CommandRow[]> {
  if (ids.length === 0) return [];
  return queries.selectFrom('command').select(columns).where('id', 'in', ids).orderBy('host_id').execute();
}

async function commandOf(queries: Queries, id: string) {
  const command = await queries
    .selectFrom('command')
    .select([...columns, 'output'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (command === undefined) throw notFound('command');
  return command;
}
