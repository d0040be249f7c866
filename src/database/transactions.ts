// Runs transactions; a nested one joins the outer one, so that both commit or neither does.
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { MikroORM, SqlEntityManager } from '@mikro-orm/postgresql';
import type { Logger } from 'pino';
import type { Schemas } from '../platform-contract/types.ts';
import type { EntityManager } from './connection.ts';
import { DomainError } from '../errors.ts';
import { isLostRace, isMissingReference, isWriteRefusal, throwUnavailable } from './faults.ts';
import type { HeldJob } from '../process/work-monitor.ts';
import type { Queries } from './reader.ts';
import { closeScope, isSameScope, narrowingOf, openScope, type Scope } from './scope.ts';

/** Whom the audit log names for a transaction's changes. */
export interface Attribution {
  actor: {
    kind: Exclude<Schemas['AuditActorKind'], 'anonymous' | 'system'>;
    id: string;
    label: string;
  } | null;
  /** The operation or job. */
  operation: string;
  requestId?: string;
  /** Address that the request came from. */
  source?: string;
}

/** Keeps abandoned work, which another process may have taken over, from committing. */
export interface Fence {
  /** Throws if the caller's work was abandoned. */
  refuseAbandoned(): void;
  /** The job that the caller is part of, if any. It may commit only while its worker holds the job. */
  heldJob(): HeldJob | undefined;
  /** Marks the caller's work as abandoned. */
  abandon(): void;
}

const noFence: Fence = {
  refuseAbandoned: () => undefined,
  heldJob: () => undefined,
  abandon: () => undefined,
};

export type Work<T> = (em: EntityManager, queries: Queries) => Promise<T>;

interface Running {
  em: SqlEntityManager;
  scope: Scope;
  /** Callbacks for after the commit of the whole transaction. */
  announcements: (() => void)[];
  /** The error of a failed nested transaction. The whole transaction then never commits, even if it was caught. */
  failure?: { cause: unknown };
  /** The last work that narrowed its scope. */
  turn?: Promise<unknown>;
}

/** A transaction that loses this many races is refused, after about three seconds. */
const maxAttempts = 8;
const maxPauseMs = 1_000;

export class Transactions {
  readonly #running = new AsyncLocalStorage<Running>();
  readonly #attributions = new AsyncLocalStorage<Attribution>();
  readonly #orm: MikroORM;
  readonly #log: Logger;
  readonly #onDone: () => void;
  readonly #onFailure: (error: unknown) => void;
  readonly #fence: Fence;

  /**
   * `onDone` is called after each committed transaction, `onFailure` after each failed one; `fence` is checked before
   * each begin and commit.
   */
  constructor(
    orm: MikroORM,
    log: Logger,
    onDone: () => void = () => undefined,
    onFailure: (error: unknown) => void = () => undefined,
    fence: Fence = noFence,
  ) {
    this.#orm = orm;
    this.#log = log;
    this.#onDone = onDone;
    this.#onFailure = onFailure;
    this.#fence = fence;
  }

  /** The entity manager of the transaction that the caller runs in, if any. */
  get current(): EntityManager | undefined {
    return this.#running.getStore()?.em;
  }

  /**
   * Runs `work` in a transaction. Retries if PostgreSQL aborted it in favour of another, and once if the session turned
   * out to be read-only, or if a row that the work refers to was deleted, or replaced, meanwhile.
   */
  async run<T>(scope: Scope, work: Work<T>): Promise<T> {
    const outer = this.#running.getStore();
    if (outer !== undefined) return this.#join(outer, scope, work);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#attempt(scope, work);
      } catch (error) {
        // Sessions that refuse writes are not used again; a newly opened one may take them. A reset of a sandbox replaces
        // its rows; without one, the second attempt refuses the missing row by name.
        if (attempt === 1 && (isWriteRefusal(error) || isMissingReference(error))) continue;
        if (!isLostRace(error)) throw error;
        if (attempt === maxAttempts)
          throw new DomainError(
            'unavailable',
            'Too many concurrent changes of the same data; try again soon.',
            { cause: error },
          );
      }
      // Random backoff keeps transactions that collided from colliding again.
      await pause(Math.random() * Math.min(maxPauseMs, 20 * 2 ** attempt));
    }
  }

  /** Whom the caller's changes are attributed to; undefined outside operations and jobs. */
  get attribution(): Attribution | undefined {
    return this.#attributions.getStore();
  }

  /** Runs `work` and attributes all its transactions to `attribution`. */
  attribute<T>(attribution: Attribution, work: () => Promise<T>): Promise<T> {
    return this.#attributions.run(attribution, work);
  }

  /** Runs `announce` after the caller's transaction has committed; immediately if there is none. */
  afterCommit(announce: () => void): void {
    const running = this.#running.getStore();
    if (running === undefined) this.#announce([announce]);
    else running.announcements.push(announce);
  }

  /**
   * Throws if the caller runs in a transaction. Call it before waiting for another party and before any effect that a
   * rollback cannot undo: a transaction may run twice, and it holds a connection and locks. It also stops an abandoned
   * run.
   */
  refuseInside(what: string): void {
    if (this.#running.getStore() !== undefined) throw new Error(`${what} has no place inside a transaction`);
    this.#fence.refuseAbandoned();
  }

  /** The commit stands, even if an announcement fails. */
  #announce(announcements: (() => void)[]): void {
    for (const announce of announcements) {
      try {
        announce();
      } catch (error) {
        this.#log.error({ err: error }, 'an announcement failed');
      }
    }
  }

  /** Locks the job until the commit. Without it, another process could free the job of a process it takes for dead. */
  async #refuseLost(em: SqlEntityManager): Promise<void> {
    const job = this.#fence.heldJob();
    if (job === undefined) return;
    const [row] = await em.execute<{ is_held: boolean }[]>('select hold_job(?::bigint, ?) as is_held', [
      job.id,
      job.worker,
    ]);
    if (row?.is_held === true) return;
    this.#fence.abandon();
    throw new Error(`the job ${job.id} is not held by this process any more`);
  }

  async #attempt<T>(scope: Scope, work: Work<T>): Promise<T> {
    this.#fence.refuseAbandoned();
    const announcements: (() => void)[] = [];
    const em = this.#orm.em.fork();
    const narrow = narrowingOf(scope);
    em.setSessionContext({
      ...(narrow.role !== undefined && { role: narrow.role }),
      variables: { 'app.attribution': this.#attributionText(), ...narrow.variables },
    });
    const result = await em
      .transactional(async (inner) => {
        const running: Running = { em: inner, scope, announcements };
        const made = await this.#running.run(running, () => work(inner, queriesOf(inner)));
        refuseFailed(running);
        this.#fence.refuseAbandoned();
        await this.#refuseLost(inner);
        return made;
      })
      .catch((error: unknown) => {
        this.#onFailure(error);
        throwUnavailable(error);
      });
    this.#onDone();
    this.#announce(announcements);
    return result;
  }

  /**
   * Narrows the running transaction to one license or reseller while `work` runs. A savepoint restores the role
   * in any case, and a fresh entity manager has none of the platform's loaded entities. Concurrent calls run
   * one after the other, because the role belongs to the whole transaction.
   */
  async #join<T>(outer: Running, scope: Scope, work: Work<T>): Promise<T> {
    if (isSameScope(outer.scope, scope)) return this.#takePart(outer, work);
    if (outer.scope !== null || scope === null) {
      throw new Error('a transaction can only narrow from the platform to one license or reseller');
    }
    const turn = (outer.turn ?? Promise.resolve()).then(async () => {
      await outer.em.flush();
      const inner = outer.em.fork({ clear: true, keepTransactionContext: true });
      const announcements: (() => void)[] = [];
      const result = await inner.transactional(async (em) => {
        await em.execute(openScope(scope));
        const running: Running = { em, scope, announcements };
        const made = await this.#running.run(running, () => work(em, queriesOf(em)));
        refuseFailed(running);
        await em.flush();
        await em.execute(closeScope);
        return made;
      });
      outer.announcements.push(...announcements);
      return result;
    });
    outer.turn = turn.catch(() => undefined);
    return turn;
  }

  #attributionText(): string {
    const { attribution } = this;
    if (attribution === undefined) return '';
    const { actor, operation, requestId, source } = attribution;
    return JSON.stringify({
      actor_kind: actor?.kind ?? 'anonymous',
      actor_id: actor?.id,
      actor_label: actor?.label,
      operation,
      request_id: requestId,
      source,
    });
  }

  async #takePart<T>(outer: Running, work: Work<T>): Promise<T> {
    try {
      return await work(outer.em, queriesOf(outer.em));
    } catch (error) {
      outer.failure ??= { cause: error };
      throw error;
    }
  }
}

function refuseFailed({ failure }: Running): void {
  if (failure !== undefined) throw new Error('a part of the transaction failed', failure);
}

/** Typed queries in the entity manager's transaction; they see what it has flushed. */
export function queriesOf(em: EntityManager): Queries {
  return (em as SqlEntityManager).getKysely();
}
