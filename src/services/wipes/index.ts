// Wipes of game instances: plan, request, cancel and history.
import { LockMode } from '@mikro-orm/core';
import { agreeing, invalidReply } from '../../agent-requests/refusals.ts';
import type { Bus } from '../../bus/bus.ts';
import type { BusSchemas } from '../../platform-contract/bus-types.ts';
import type { Ctx } from '../../context.ts';
import type { Query, Schemas } from '../../platform-contract/types.ts';
import type { EntityManager } from '../../database/connection.ts';
import { refusing } from '../../database/faults.ts';
import { licenseNow } from '../../database/license-clock.ts';
import type { Queries } from '../../database/reader.ts';
import { holdLock } from '../../database/advisory-locks.ts';
import { Command, GameInstance, WipeHistory } from '../../entities/index.ts';
import { DomainError, notFound } from '../../errors.ts';
import { enqueueRelay } from '../../queue/enqueue.ts';
import { refuseUnlessCapable } from '../../preconditions/capabilities.ts';
import { newCommand, waitingLimit } from '../commands/index.ts';
import { addressOfInstance } from '../../agent-requests/instance-address.ts';
import { refuseBeyond } from '../../preconditions/limits.ts';
import type { MapDeployments } from '../maps/deployments.ts';
import { byId, pageOf, type Page } from '../../lists/page.ts';
import { refuseMixedMaps, wipeUnderWay } from './refusals.ts';

type WipeRequest = BusSchemas['WipeRequest'];
export type WipePlan = BusSchemas['WipePlan'];
export type WipeRow = Awaited<ReturnType<typeof wipeOf>>;

/** What the wipe does, and the user who requested it; null when no user did. */
export interface Asked {
  input: Schemas['WipeRequest'];
  requestedBy: string | null;
}

const columns = [
  'id',
  'instance_id',
  'instance_name',
  'kind',
  'seed',
  'world_size',
  'map_id',
  'countdown_seconds',
  'message',
  'with_backup',
  'with_start',
  'status',
  'detail',
  'error_code',
  'due_at',
  'file_count',
  'deleted_bytes',
  'command_id',
  'requested_by',
  'cancel_requested_at',
  'created_at',
  'begun_at',
  'finished_at',
] as const;

/** A wipe that runs much later than requested would surprise more than one that does not run. */
const lifetimeMs = 10 * 60_000;

export class Wipes {
  readonly #bus: Pick<Bus, 'ask'>;
  readonly #maps: Pick<MapDeployments, 'sourceOf'>;

  constructor(bus: Pick<Bus, 'ask'>, maps: Pick<MapDeployments, 'sourceOf'>) {
    this.#bus = bus;
    this.#maps = maps;
  }

  async list(ctx: Ctx, query: Query<'listWipes'>): Promise<Page<WipeRow>> {
    return ctx.read((queries) => {
      let found = wipes(queries);
      if (query.instance_id !== undefined) found = found.where('instance_id', '=', query.instance_id);
      if (query.status !== undefined) found = found.where('status', '=', query.status);
      return pageOf(found, query, byId('id', 'desc'));
    });
  }

  async get(ctx: Ctx, id: string): Promise<WipeRow> {
    return ctx.read((queries) => wipeOf(queries, id));
  }

  /** Returns what a wipe would do now. Never call it inside a transaction. */
  async plan(ctx: Ctx, instanceId: string, input: Schemas['WipeRequest']): Promise<WipePlan> {
    refuseMixedMaps(input);
    const request = await ctx.read((queries) => this.#requestOf(queries, input));
    const { hostId, instance } = await addressOfInstance(ctx, instanceId);
    const { plan } = await agreeing(
      this.#bus.ask(hostId, 'wipe-plan', { v: 1, host_id: hostId, instance, request }),
      'wipe-plan',
    );
    if (plan === undefined) throw invalidReply();
    return plan;
  }

  /** Cancels the wipe at once if its command has not been sent; otherwise asks the agent to cancel it. */
  async cancel(ctx: Ctx, id: string): Promise<WipeRow> {
    return ctx.transact(async (em, queries) => {
      const wipe = await em.findOne(WipeHistory, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (wipe === null) throw missing();
      if (wipe.status !== 'planned' && wipe.status !== 'announcing')
        throw new DomainError(
          'wipe_begun',
          `The wipe can no longer be cancelled; its status is ${wipe.status}.`,
        );
      if (!(await isBeingCancelled(em, wipe))) {
        const now = await licenseNow(queries);
        wipe.cancelRequestedAt = now;
        if (await withdrawn(em, wipe)) Object.assign(wipe, { status: 'cancelled', finishedAt: now });
        else await askToCancel(em, wipe, ctx.actor?.label ?? null);
        await em.flush();
      }
      return wipeOf(queries, id);
    });
  }

  /** Requests a wipe for the caller, in a transaction of its own. */
  async request(ctx: Ctx, instanceId: string, input: Schemas['WipeRequest']): Promise<WipeRow> {
    refuseMixedMaps(input);
    return ctx.transact(async (em, queries) => {
      const wipe = await this.requestIn(em, queries, instanceId, {
        input,
        requestedBy: ctx.actor?.label ?? null,
      });
      return wipeOf(queries, wipe.id);
    });
  }

  /** Requests a wipe within the caller's transaction of a license. */
  async requestIn(
    em: EntityManager,
    queries: Queries,
    instanceId: string,
    asked: Asked,
  ): Promise<WipeHistory> {
    const instance = await em.findOne(GameInstance, instanceId);
    if (instance === null) throw notFound('instance');
    await refuseBeyond(em, waitingLimit(em, instance.hostId));
    const wipe = await this.createWithCommand(em, queries, instance, asked);
    await enqueueRelay(em, instance.hostId);
    return wipe;
  }

  /** Creates the wipe and its command. The caller checks the command limit before and enqueues the relay afterwards. */
  async createWithCommand(
    em: EntityManager,
    queries: Queries,
    instance: GameInstance,
    { input, requestedBy }: Asked,
  ): Promise<WipeHistory> {
    if (instance.game !== null && instance.game !== undefined && instance.game !== 'rust')
      throw new DomainError('not_supported', 'Only Rust servers can be wiped.');
    refuseUnlessCapable(instance, 'wipe');
    const request = await this.#requestOf(queries, input);
    // The second of two concurrent requests sees the first one's wipe, and is refused without aborting the transaction.
    await holdLock(em, `wipes ${instance.id}`);
    if ((await em.count(WipeHistory, { instanceId: instance.id, finishedAt: null })) > 0)
      throw wipeUnderWay();
    const wipe = em.create(WipeHistory, {
      hostId: instance.hostId,
      instanceId: instance.id,
      instanceName: instance.name,
      kind: request.kind,
      seed: request.seed ?? null,
      worldSize: request.world_size ?? null,
      mapId: input.map_id ?? null,
      countdownSeconds: request.countdown_seconds,
      message: request.message ?? null,
      withBackup: request.backup,
      withStart: request.start,
      requestedBy,
    });
    await refusing(
      {
        wipe_history_under_way: wipeUnderWay,
        wipe_history_license_id_instance_id_fkey: () => notFound('instance'),
        wipe_history_license_id_host_id_fkey: () => notFound('instance'),
        wipe_history_license_id_map_id_fkey: () => notFound('map'),
      },
      () => em.flush(),
    );
    const args = { wipe_id: wipe.id, request };
    const command = newCommand(em, instance, { verb: 'wipe', args, lifetimeMs, requestedBy });
    await em.flush();
    wipe.commandId = command.id;
    await em.flush();
    return wipe;
  }

  async #requestOf(
    queries: Queries,
    {
      kind,
      seed,
      world_size,
      map_id,
      countdown_seconds = 0,
      message,
      backup = false,
      start = false,
    }: Schemas['WipeRequest'],
  ): Promise<WipeRequest> {
    return {
      kind,
      countdown_seconds,
      backup,
      start,
      ...(seed !== undefined && { seed }),
      ...(world_size !== undefined && { world_size }),
      ...(map_id !== undefined && { level_url: await this.#addressOf(queries, map_id) }),
      ...(message !== undefined && { message }),
    };
  }

  async #addressOf(queries: Queries, mapId: string): Promise<string> {
    const { level_url } = await this.#maps.sourceOf(queries, mapId);
    if (level_url === undefined)
      throw new DomainError('map_not_public', 'Make the map public first, so that players can download it.');
    return level_url;
  }
}

/** Withdraws the command; returns false if it has already been sent to the agent. */
async function withdrawn(em: EntityManager, { commandId }: WipeHistory): Promise<boolean> {
  if (commandId === null || commandId === undefined) return true;
  const taken = await em.nativeUpdate(
    Command,
    { id: commandId, status: 'queued', sentAt: null },
    {
      status: 'failed',
      errorCode: 'cancelled',
      detail: 'The wipe was cancelled before it was sent to the agent.',
      finishedAt: new Date(),
    },
  );
  return taken > 0;
}

/** Whether the agent has been asked to cancel the wipe and may still do so. */
async function isBeingCancelled(em: EntityManager, { id, instanceId }: WipeHistory): Promise<boolean> {
  const asked = await em.count(Command, {
    instanceId: instanceId ?? null,
    kind: 'cancel_wipe',
    args: { wipe_id: id },
    status: { $in: ['queued', 'sent', 'acknowledged'] },
    expiresAt: { $gt: new Date() },
  });
  return asked > 0;
}

async function askToCancel(em: EntityManager, wipe: WipeHistory, requestedBy: string | null): Promise<void> {
  const instance = await em.findOne(GameInstance, { id: wipe.instanceId ?? null });
  if (instance === null) throw notFound('instance');
  await refuseBeyond(em, waitingLimit(em, instance.hostId));
  newCommand(em, instance, { verb: 'cancel_wipe', args: { wipe_id: wipe.id }, requestedBy });
  await em.flush();
  await enqueueRelay(em, instance.hostId);
}

function wipes(queries: Queries) {
  return queries.selectFrom('wipe_history').select(columns);
}

async function wipeOf(queries: Queries, id: string) {
  const wipe = await wipes(queries).where('id', '=', id).executeTakeFirst();
  if (wipe === undefined) throw missing();
  return wipe;
}

const missing = () => notFound('wipe');
