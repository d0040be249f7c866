// Runs due deliveries: receivers run in parallel, and a lease keeps each one to a single process.
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Contexts, Ctx } from '../context.ts';

const turnMs = 4_000;

/** A receiver that this process has leased. */
export interface Claimed {
  id: string;
  license_id: string;
}

export interface TurnKind {
  /** The name of the receivers in the log. */
  what: string;
  /** The actor of changes in the audit log. */
  job: string;
  /** The table of the receivers. */
  table: 'notification_channel' | 'webhook';
  /** Maximum concurrent leases in this process. Most of the time is spent waiting for receivers. */
  maxTurns: number;
  /** Leases as many receivers as `room` allows. If this process dies, the leases expire. */
  lease: (turnId: string, room: number) => Promise<Claimed[]>;
  /** Sends due deliveries for as long as `mayGoOn` returns true. */
  take: (ctx: Ctx, id: string, mayGoOn: () => boolean) => Promise<void>;
}

export class Turns {
  readonly #kind: TurnKind;
  readonly #contexts: Contexts;
  readonly #log: Logger;
  readonly #turns = new Set<Promise<void>>();
  #claiming: Promise<void> | undefined;
  #isStopped = false;

  constructor(kind: TurnKind, contexts: Contexts, log: Logger) {
    this.#kind = kind;
    this.#contexts = contexts;
    this.#log = log;
  }

  /** Starts as many runs as there is room for, and returns without waiting for them to finish. */
  async begin(): Promise<void> {
    this.#claiming ??= this.#claim().finally(() => {
      this.#claiming = undefined;
    });
    return this.#claiming;
  }

  /** Starts no more runs, and waits for the running ones. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    // The caller of `begin` handles its failure.
    await this.#claiming?.catch(() => undefined);
    await Promise.all(this.#turns);
  }

  async #claim(): Promise<void> {
    const room = this.#kind.maxTurns - this.#turns.size;
    if (this.#isStopped || room <= 0) return;
    const turnId = randomUUID();
    for (const receiver of await this.#kind.lease(turnId, room)) {
      const turn = this.#take(receiver, turnId);
      this.#turns.add(turn);
      void turn.then(() => {
        this.#turns.delete(turn);
        return this.begin().catch((error: unknown) =>
          this.#log.error({ err: error }, `turns of ${this.#kind.what} could not be begun`),
        );
      });
    }
  }

  async #take({ id, license_id: licenseId }: Claimed, turnId: string): Promise<void> {
    const { job, table, take, what } = this.#kind;
    const endsAt = Date.now() + turnMs;
    const mayGoOn = () => !this.#isStopped && Date.now() < endsAt;
    try {
      await this.#contexts.forJob(job, licenseId, async (ctx) => {
        await take(ctx, id, mayGoOn);
        await ctx.transact((em) =>
          em.execute(`update ${table} set served_until = null, turn_id = null where id = ? and turn_id = ?`, [
            id,
            turnId,
          ]),
        );
      });
    } catch (error) {
      this.#log.error({ err: error, receiver: id }, `a turn of ${what} failed`);
    }
  }
}

/**
 * A subquery with the next receivers to lease: those with due deliveries and no lease, the longest unserved first.
 * `dueIds` selects the ids of receivers with due deliveries; `where` filters `receiver`. Its parameters are the maximum
 * leases per license and the maximum receivers to lease.
 */
export function nextReceivers(table: TurnKind['table'], dueIds: string, where: string): string {
  return `
    select receiver.id from ${table} as receiver join (
      select receiver.id, row_number() over (partition by receiver.license_id order by receiver.served_at nulls first)
        + (select count(*) from ${table} as busy
           where busy.license_id = receiver.license_id and busy.served_until >= now()) as place
      from (${dueIds}) as due join ${table} as receiver on receiver.id = due.id
      join license on license.id = receiver.license_id and license.status = 'active'
      where ${where} and (receiver.served_until is null or receiver.served_until < now())
    ) as ranked on ranked.id = receiver.id
    where place <= ? and (receiver.served_until is null or receiver.served_until < now())
    order by receiver.served_at nulls first limit ? for no key update of receiver skip locked`;
}
