// Online players, as the agent reports them, and actions on players, as commands with a record of each.
import type { Bus } from '../../bus/bus.ts';
import type { BusSchemas } from '../../platform-contract/bus-types.ts';
import type { Ctx } from '../../context.ts';
import type { Query, Schemas } from '../../platform-contract/types.ts';
import { licenseNow } from '../../database/license-clock.ts';
import type { Queries } from '../../database/reader.ts';
import type { CommandRow, Commands } from '../commands/index.ts';
import { agreeing, invalidReply } from '../../agent-requests/refusals.ts';
import { addressOfInstance } from '../../agent-requests/instance-address.ts';
import { GameInstance } from '../../entities/index.ts';
import { notFound } from '../../errors.ts';
import { refuseUnknownInstance } from '../../preconditions/instance-existence.ts';
import { byId, pageOf } from '../../lists/page.ts';
import { uncertain } from './outcomes.ts';
import { recordAction, recordNote, refuseFurtherNotes, type NewAction } from './record.ts';

export type OnlinePlayers = Required<Pick<BusSchemas['PlayersReply'], 'at' | 'players'>>;
export type PlayerActionRow = Awaited<ReturnType<Players['listActions']>>['rows'][number];

/** The player and the instance that an operation concerns. */
export interface Target {
  instance_id: string;
  steam_id: string;
}

export interface PlayerRecordRow {
  instanceId: string;
  steamId: string;
  /** The ban in force. */
  ban: PlayerActionRow | null;
  /** A ban that may or may not have reached the game. */
  uncertainBan: PlayerActionRow | null;
  actions: PlayerActionRow[];
  counts: { kind: PlayerActionRow['kind']; count: string }[];
}

/** Latest actions shown in a player's record. */
const maxShown = 25;

const columns = [
  'id',
  'instance_id',
  'instance_name',
  'command_id',
  'kind',
  'steam_id',
  'text',
  'until',
  'requested_by',
  'status',
  'detail',
  'error_code',
  'created_at',
  'finished_at',
  'ended_at',
] as const;

export class Players {
  readonly #commands: Commands;
  readonly #bus: Pick<Bus, 'ask'>;

  constructor(commands: Commands, bus: Pick<Bus, 'ask'>) {
    this.#commands = commands;
    this.#bus = bus;
  }

  async list(ctx: Ctx, instanceId: string): Promise<OnlinePlayers> {
    const { hostId, instance } = await addressOfInstance(ctx, instanceId);
    const { players, at } = await agreeing(
      this.#bus.ask(hostId, 'players', { v: 1, host_id: hostId, instance }),
    );
    if (players === undefined || at === undefined) throw invalidReply();
    return { at, players };
  }

  async listActions(ctx: Ctx, query: Query<'listPlayerActions'>) {
    return ctx.read((queries) => {
      let actions = queries.selectFrom('player_action').select(columns);
      if (query.instance_id !== undefined) actions = actions.where('instance_id', '=', query.instance_id);
      if (query.steam_id !== undefined) actions = actions.where('steam_id', '=', query.steam_id);
      if (query.kind !== undefined) actions = actions.where('kind', '=', query.kind);
      return pageOf(actions, query, byId('id', 'desc'));
    });
  }

  /** Returns what was done to a player on an instance; empty for an unknown player. */
  async get(ctx: Ctx, { instance_id: instanceId, steam_id: steamId }: Target): Promise<PlayerRecordRow> {
    return ctx.read(async (queries) => {
      await refuseUnknownInstance(queries, instanceId);
      const own = queries
        .selectFrom('player_action')
        .where('instance_id', '=', instanceId)
        .where('steam_id', '=', steamId);
      const actions = await own.select(columns).orderBy('id', 'desc').limit(maxShown).execute();
      const bans = own
        .select(columns)
        .where('kind', '=', 'ban')
        .where('ended_at', 'is', null)
        .orderBy('id', 'desc');
      const ban = await bans.where('status', '=', 'succeeded').executeTakeFirst();
      const uncertainBan = await bans.where('error_code', 'in', [...uncertain]).executeTakeFirst();
      const counts = await own
        .select(({ fn }) => ['kind', fn.countAll<string>().as('count')])
        .where('status', '=', 'succeeded')
        .groupBy('kind')
        .execute();
      return { instanceId, steamId, ban: ban ?? null, uncertainBan: uncertainBan ?? null, actions, counts };
    });
  }

  async kick(ctx: Ctx, target: Target, { reason }: Schemas['PlayerKick'] = {}): Promise<CommandRow> {
    return this.#act(ctx, target, {
      kind: 'kick',
      args: { ...(reason !== undefined && { reason }) },
      text: reason,
    });
  }

  async ban(
    ctx: Ctx,
    target: Target,
    { reason, duration_seconds }: Schemas['PlayerBan'],
  ): Promise<CommandRow> {
    const until =
      duration_seconds === undefined
        ? undefined
        : new Date((await ctx.read(licenseNow)).getTime() + duration_seconds * 1_000);
    return this.#act(ctx, target, { kind: 'ban', args: { reason }, text: reason, until });
  }

  async unban(ctx: Ctx, target: Target, { reason }: Schemas['PlayerUnban'] = {}): Promise<CommandRow> {
    return this.#act(ctx, target, { kind: 'unban', args: {}, text: reason });
  }

  async message(ctx: Ctx, target: Target, { text }: Schemas['PlayerMessage']): Promise<CommandRow> {
    return this.#act(ctx, target, { kind: 'message', args: { text }, text });
  }

  async addNote(
    ctx: Ctx,
    { instance_id: instanceId, steam_id: steamId }: Target,
    { text }: Schemas['PlayerNote'],
  ): Promise<PlayerActionRow> {
    return ctx.transact(async (em, queries) => {
      const instance = await em.findOne(GameInstance, instanceId);
      if (instance === null) throw notFound('instance');
      await refuseFurtherNotes(em, queries, { licenseId: ctx.licenseId, steamId });
      const requestedBy = ctx.actor?.label ?? null;
      const at = await licenseNow(queries);
      const id = await recordNote(em, { instance, steamId, text, requestedBy, at });
      return queries
        .selectFrom('player_action')
        .select(columns)
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
    });
  }

  async #act(
    ctx: Ctx,
    { instance_id: instanceId, steam_id: steamId }: Target,
    { kind, args, ...rest }: Pick<NewAction, 'kind' | 'text' | 'until'> & { args: Record<string, unknown> },
  ): Promise<CommandRow> {
    return ctx.transact(async (em, queries) => {
      const canEndAnother =
        rest.until !== undefined && !(await hasBanOnRecord(queries, { instanceId, steamId }));
      const command = await this.#commands.create(ctx, instanceId, {
        verb: `${kind}_player`,
        args: { steam_id: steamId, ...args, ...(canEndAnother && { only_if_free: true }) },
      });
      await recordAction(em, { kind, steamId, command, ...rest });
      return command;
    });
  }
}

/** Whether the platform has requested a ban of the player that still applies. */
async function hasBanOnRecord(
  queries: Queries,
  { instanceId, steamId }: { instanceId: string; steamId: string },
): Promise<boolean> {
  const ban = await queries
    .selectFrom('player_action')
    .select('id')
    .where('instance_id', '=', instanceId)
    .where('steam_id', '=', steamId)
    .where('kind', '=', 'ban')
    .where('ended_at', 'is', null)
    .where((expressions) =>
      expressions.or([
        expressions('status', 'in', ['pending', 'succeeded']),
        expressions('error_code', 'in', [...uncertain]),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return ban !== undefined;
}
