// Runs due deliveries: receivers run in parallel, and a lease keeps each one to a single process.
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Contexts, Ctx } from '../context.ts';
import type { EntityManager } from '../database/connection.ts';
import type { PlatformScope } from '../database/platform-scope.ts';

const runMs = 4_000;

/** A receiver that this process has leased. */
export interface Claimed {
  id: string;
  license_id: string;
}

export interface LeaseKind {
  /** The name of the receivers in the log. */
  what: string;
  /** The actor of changes in the audit log. */
  job: string;
  /** The table of the receivers. */
  table: 'notification_channel' | 'webhook';
  /** Maximum concurrent leases in this process. Most of the time is spent waiting for receivers. */
  maxLeases: number;
  /** Leases as many receivers as `room` allows. If this process dies, the leases expire. */
  lease: (em: EntityManager, leaseId: string, room: number) => Promise<Claimed[]>;
  /** Sends due deliveries for as long as `shouldContinue` returns true. */
  take: (ctx: Ctx, id: string, shouldContinue: () => boolean) => Promise<void>;
}

export interface LeaseParts {
  platform: PlatformScope;
  contexts: Contexts;
  log: Logger;
}

export class LeaseRunner {
  readonly #kind: LeaseKind;
  readonly #platform: PlatformScope;
  readonly #contexts: Contexts;
  readonly #log: Logger;
  readonly #runs = new Set<Promise<void>>();
  #claiming: Promise<void> | undefined;
  #isStopped = false;

  constructor(kind: LeaseKind, { platform, contexts, log }: LeaseParts) {
    this.#kind = kind;
    this.#platform = platform;
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
    await Promise.all(this.#runs);
  }

  async #claim(): Promise<void> {
    const room = this.#kind.maxLeases - this.#runs.size;
    if (this.#isStopped || room <= 0) return;
    const leaseId = randomUUID();
    for (const receiver of await this.#leaseSome(leaseId, room)) {
      const run = this.#take(receiver, leaseId);
      this.#runs.add(run);
      void run.then(() => {
        this.#runs.delete(run);
        return this.begin().catch((error: unknown) =>
          this.#log.error({ err: error }, `runs of ${this.#kind.what} could not be begun`),
        );
      });
    }
  }

  #leaseSome(leaseId: string, room: number): Promise<Claimed[]> {
    return this.#platform.transact('jobs', (em) => this.#kind.lease(em, leaseId, room));
  }

  async #take({ id, license_id: licenseId }: Claimed, leaseId: string): Promise<void> {
    const { job, table, take, what } = this.#kind;
    const endsAt = Date.now() + runMs;
    const shouldContinue = () => !this.#isStopped && Date.now() < endsAt;
    try {
      await this.#contexts.forJob(job, licenseId, async (ctx) => {
        await take(ctx, id, shouldContinue);
        await ctx.transact((em) =>
          em.execute(`update ${table} set served_until = null, turn_id = null where id = ? and turn_id = ?`, [
            id,
            leaseId,
          ]),
        );
      });
    } catch (error) {
      this.#log.error({ err: error, receiver: id }, `a run of ${what} failed`);
    }
  }
}

/**
 * A subquery with the next receivers to lease: those with due deliveries and no lease, the longest unserved first.
 * `dueIds` selects the ids of receivers with due deliveries; `where` filters `receiver`. Its parameters are the maximum
 * leases per license and the maximum receivers to lease.
 */
export function nextReceivers(table: LeaseKind['table'], dueIds: string, where: string): string {
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
