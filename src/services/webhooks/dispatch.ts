// Gives webhooks with something due their turns: many at once, each by one process at a time, the longest unserved first.
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Contexts } from '../../context.ts';
import type { PlatformScope } from '../../database/platform-scope.ts';
import { takeTurn, type TurnParts } from './turn.ts';

export interface DispatchParts extends TurnParts {
  platform: PlatformScope;
  contexts: Contexts;
  log: Logger;
}

/** Turns of this process at the same time. Most of one is waiting for somebody. */
const mostTurns = 64;
const turnMs = 4_000;
/** A turn, the last request that was begun in it, noting what came of it, and some. */
const leaseSeconds = 15;

interface Claimed {
  id: string;
  license_id: string;
}

export class WebhookDispatch {
  readonly #parts: DispatchParts;
  readonly #turns = new Set<Promise<void>>();
  #claiming: Promise<void> | undefined;
  #isStopped = false;

  constructor(parts: DispatchParts) {
    this.#parts = parts;
  }

  /** Begins the turns that there is room for. They go on after it has answered. */
  async begin(): Promise<void> {
    this.#claiming ??= this.#claim().finally(() => {
      this.#claiming = undefined;
    });
    return this.#claiming;
  }

  /** Begins no more turns, and waits for what is being sent. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#claiming;
    await Promise.all(this.#turns);
  }

  async #claim(): Promise<void> {
    const room = mostTurns - this.#turns.size;
    if (this.#isStopped || room <= 0) return;
    const turnId = randomUUID();
    for (const webhook of await this.#lease(turnId, room)) {
      const turn = this.#take(webhook, turnId);
      this.#turns.add(turn);
      void turn.then(() => {
        this.#turns.delete(turn);
        return this.begin().catch((error: unknown) =>
          this.#parts.log.error({ err: error }, 'turns of webhooks could not be begun'),
        );
      });
    }
  }

  /** Should this process die, the webhooks are free again once their leases have run out. */
  #lease(turnId: string, room: number): Promise<Claimed[]> {
    return this.#parts.platform.transact('jobs', (em) =>
      em.execute<Claimed[]>(
        `with recursive waiting as (
           (select webhook_id as id from webhook_delivery where status = 'pending' order by webhook_id limit 1)
           union all
           select (select webhook_id from webhook_delivery where status = 'pending' and webhook_id > waiting.id
                   order by webhook_id limit 1)
           from waiting where waiting.id is not null
         ), free as (
           select webhook.id from waiting
           join webhook on webhook.id = waiting.id join license on license.id = webhook.license_id
           where webhook.is_enabled and license.status = 'active'
             and (served_until is null or served_until < now()) and (rests_until is null or rests_until <= now())
             and exists (select from webhook_delivery as delivery
               where delivery.webhook_id = webhook.id and status = 'pending' and next_attempt_at <= now())
           order by served_at nulls first limit ? for no key update of webhook skip locked
         )
         update webhook set turn_id = ?, served_at = now(), served_until = now() + make_interval(secs => ?)
         from free where webhook.id = free.id returning webhook.id, webhook.license_id`,
        [room, turnId, leaseSeconds],
      ),
    );
  }

  async #take({ id, license_id: licenseId }: Claimed, turnId: string): Promise<void> {
    const { contexts, log } = this.#parts;
    const endsAt = Date.now() + turnMs;
    const mayGoOn = () => !this.#isStopped && Date.now() < endsAt;
    try {
      await contexts.forJob('send-webhooks', licenseId, async (ctx) => {
        await takeTurn(ctx, { webhookId: id, mayGoOn }, this.#parts);
        await ctx.transact((em) =>
          em.execute('update webhook set served_until = null, turn_id = null where id = ? and turn_id = ?', [
            id,
            turnId,
          ]),
        );
      });
    } catch (error) {
      log.error({ err: error, webhook_id: id }, 'a turn of a webhook failed');
    }
  }
}
