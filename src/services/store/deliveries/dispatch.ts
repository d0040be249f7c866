// Sends deliveries to the agents of their instances: those that are due, and those whose players are online.
import pLimit from 'p-limit';
import type { Logger } from 'pino';
import type { Bus } from '../../../bus/bus.ts';
import type { BusSchemas } from '../../../platform-contract/bus-types.ts';
import type { Contexts, Ctx } from '../../../context.ts';
import type { EntityManager } from '../../../database/connection.ts';
import { distinctOf } from '../../../database/distinct-values.ts';
import { enqueueRelays } from '../../../queue/enqueue.ts';
import { newCommand } from '../../commands/index.ts';
import { playerPauseSeconds } from './outcomes.ts';

export interface DispatchParts {
  /** Runs `findDeliveries` on the deliveries of every license. */
  find: () => Promise<Due[]>;
  /** Runs `claimAskableInstances` on the instances of every license. */
  claim: () => Promise<AskableInstance[]>;
  contexts: Contexts;
  bus: Pick<Bus, 'ask'>;
  log: Logger;
}

/** Maximum delivery commands in flight per instance, so that other commands are not starved. */
export const maxUnderWay = 20;
const maxAtOnce = 1_000;
/** A command that an agent has not taken within this time expires, and the delivery is sent again. */
const lifetimeMs = 10 * 60_000;
/** Maximum instances asked for their online players in one run; `askedAtOnce` of them run in parallel. */
const maxAsked = 200;
const askedAtOnce = 20;

/**
 * SQL joined to rows `waiting`: their instances, as `instance`, that accept deliveries now. A delivery made while a
 * wipe is in progress could be lost, or given twice.
 */
export const takesDeliveries = `
  join game_instance as instance on instance.id = waiting.instance_id and instance.state = 'running'
    and not exists (select from wipe_history as wipe where wipe.instance_id = instance.id
      and wipe.finished_at is null and wipe.status not in ('planned', 'announcing'))
  join license on license.id = instance.license_id and license.status = 'active'`;

interface Due {
  id: string;
  license_id: string;
}

interface Taken {
  id: string;
  instance_id: string;
  host_id: string;
  commands: string[];
  steam_id: string;
  player_name: string;
  item_name: string;
  order_id: string;
  needs_online_player: boolean;
}

interface AskableInstance {
  id: string;
  license_id: string;
  host_id: string;
  name: string;
}

export class DeliveryDispatch {
  readonly #parts: DispatchParts;

  constructor(parts: DispatchParts) {
    this.#parts = parts;
  }

  /** Turns due deliveries into commands. Safe on many replicas at once: each delivery is claimed by one of them. */
  async sendDue(): Promise<void> {
    const due = await this.#parts.find();
    const failures: unknown[] = [];
    for (const [licenseId, own] of Map.groupBy(due, ({ license_id }) => license_id)) {
      const ids = own.map(({ id }) => id);
      await this.#parts.contexts
        .forJob('deliver-purchases', licenseId, (ctx) => send(ctx, ids))
        .catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0)
      throw new AggregateError(failures, `deliveries of ${failures.length} licenses could not be sent`);
  }

  /** Asks each instance with waiting players who is online; one request covers all its players. */
  async findPlayers(): Promise<void> {
    const { claim, contexts, log } = this.#parts;
    const instances = await claim();
    const limit = pLimit(askedAtOnce);
    await limit.map(instances, async (instance) => {
      const present = await this.#playersOf(instance);
      if (present.length === 0) return;
      await contexts.forJob('deliver-purchases', instance.license_id, (ctx) =>
        ctx.transact((em) => wakeDeliveries(em, instance.id, present)),
      );
      log.debug({ instance_id: instance.id }, 'an instance was asked for its online players');
    });
  }

  /** Returns no players if the agent or the game does not report them. */
  async #playersOf({ host_id, name }: AskableInstance): Promise<string[]> {
    const request: BusSchemas['PlayersRequest'] = { v: 1, host_id, instance: name };
    const reply = await this.#parts.bus.ask(host_id, 'players', request).catch((error: unknown) => {
      this.#parts.log.info({ err: error, host_id }, 'an instance could not be asked for its online players');
      return undefined;
    });
    return (reply?.players ?? []).map(({ steam_id }) => steam_id);
  }
}

export function findDeliveries(em: EntityManager): Promise<Due[]> {
  return em.execute<Due[]>(
    `select due.id, due.license_id
     from ${distinctOf(['instance_id'], 'store_delivery', `status = 'waiting'`)} as waiting
     ${takesDeliveries}
     cross join lateral (
       select id, license_id from store_delivery
       where instance_id = instance.id and status = 'waiting' and next_attempt_at <= now()
       order by next_attempt_at
       limit greatest(0, ? - (select count(*) from store_delivery where instance_id = instance.id and status = 'sent'))
     ) as due
     limit ?`,
    [maxUnderWay, maxAtOnce],
  );
}

/** Writes the deliveries and their commands in one transaction, so that neither exists without the other. */
async function send(ctx: Ctx, ids: string[]): Promise<void> {
  await ctx.transact(async (em) => {
    const taken = await em.execute<Taken[]>(
      `with taken as (
         update store_delivery set status = 'sent', next_attempt_at = null, attempt_count = attempt_count + 1
         where id in (select id from store_delivery where id = any(?::uuid[]) and status = 'waiting'
           and instance_id is not null for no key update skip locked)
         returning *
       )
       select taken.id, taken.instance_id, instance.host_id, taken.steam_id, taken.order_id, line.item_name,
         line.needs_online_player and taken.kind = 'delivery' as needs_online_player,
         case taken.kind when 'delivery' then line.delivery_commands else line.revoke_commands end as commands,
         coalesce(known.name, bought.player_name, '') as player_name
       from taken
       join game_instance as instance on instance.license_id = taken.license_id and instance.id = taken.instance_id
       join store_order_line as line on line.license_id = taken.license_id and line.id = taken.line_id
       join store_order as bought on bought.license_id = taken.license_id and bought.id = taken.order_id
       left join player as known on known.license_id = taken.license_id and known.steam_id = taken.steam_id
       order by taken.id`,
      [`{${ids.join(',')}}`],
    );
    const made = taken.map((delivery) => ({
      delivery,
      command: newCommand(
        em,
        { id: delivery.instance_id, hostId: delivery.host_id },
        { verb: 'deliver', args: argumentsOf(delivery), lifetimeMs, requestedBy: null },
      ),
    }));
    await em.flush();
    await em.execute(
      `update store_delivery as delivery set command_id = one.command_id
       from jsonb_to_recordset(?::jsonb) as one(id uuid, command_id uuid) where delivery.id = one.id`,
      [JSON.stringify(made.map(({ delivery, command }) => ({ id: delivery.id, command_id: command.id })))],
    );
    await enqueueRelays(
      em,
      taken.map(({ host_id }) => host_id),
    );
  });
}

function argumentsOf(delivery: Taken): Record<string, unknown> {
  return {
    delivery_id: delivery.id,
    commands: delivery.commands,
    steam_id: delivery.steam_id,
    player_name: delivery.player_name,
    item_name: delivery.item_name,
    quantity: 1,
    transaction_id: delivery.order_id,
    needs_online_player: delivery.needs_online_player,
  } satisfies BusSchemas['DeliverArguments'];
}

/** Running instances that have waiting players and were not asked in the last 15 seconds. */
export function claimAskableInstances(em: EntityManager): Promise<AskableInstance[]> {
  return em.execute<AskableInstance[]>(
    `update game_instance as instance set store_asked_at = now()
     from (
       select instance.id
       from ${distinctOf(['instance_id'], 'store_delivery', `status = 'waiting_for_player'`)} as waited
       join game_instance as instance on instance.id = waited.instance_id
       join license on license.id = instance.license_id and license.status = 'active'
       where instance.state = 'running'
         and (store_asked_at is null or store_asked_at < now() - make_interval(secs => ?))
       limit ? for no key update of instance skip locked
     ) as askable
     where instance.id = askable.id returning instance.id, instance.license_id, instance.host_id, instance.name`,
    [playerPauseSeconds, maxAsked],
  );
}

/** Makes deliveries due that wait for these players, who are online. */
export async function wakeDeliveries(
  em: EntityManager,
  instanceId: string,
  steamIds: readonly string[],
): Promise<void> {
  await em.execute(
    `update store_delivery set status = 'waiting', next_attempt_at = now()
     where instance_id = ? and status = 'waiting_for_player' and steam_id = any(?::text[])`,
    [instanceId, `{${steamIds.join(',')}}`],
  );
}
