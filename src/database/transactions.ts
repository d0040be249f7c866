// Runs transactions; one that is asked for inside another joins it, so that both commit or neither does.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { EntityManager } from './connection.ts';

/** A license's rows, or (null) the whole platform's. */
export type Scope = { licenseId: string } | null;

interface Running {
  em: EntityManager;
  scope: Scope;
  /** The work that has narrowed it last. */
  turn?: Promise<unknown>;
}

export const tenantRole = 'gantry_tenant';
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export class Transactions {
  readonly #running = new AsyncLocalStorage<Running>();
  readonly #orm: MikroORM;

  constructor(orm: MikroORM) {
    this.#orm = orm;
  }

  /** The entity manager of the transaction that the caller runs in, if any. */
  get current(): EntityManager | undefined {
    return this.#running.getStore()?.em;
  }

  async run<T>(scope: Scope, work: (em: EntityManager) => Promise<T>): Promise<T> {
    const outer = this.#running.getStore();
    if (outer !== undefined) return this.#join(outer, scope, work);
    const em = this.#orm.em.fork() as EntityManager;
    if (scope !== null) {
      em.setSessionContext({ role: tenantRole, variables: { 'app.license_id': checkedLicenseId(scope) } });
    }
    return em.transactional((inner) => this.#running.run({ em: inner, scope }, () => work(inner)));
  }

  /**
   * Narrows the running transaction to one license for as long as `work` takes. It happens within a savepoint, whose
   * end gives the role back whatever became of the work, and with an entity manager that knows nothing the platform
   * has loaded. Several at once take turns: the role belongs to the whole transaction.
   */
  async #join<T>(outer: Running, scope: Scope, work: (em: EntityManager) => Promise<T>): Promise<T> {
    if (outer.scope?.licenseId === scope?.licenseId) return work(outer.em);
    if (outer.scope !== null || scope === null) {
      throw new Error('a transaction can only narrow from the platform to one license');
    }
    const turn = (outer.turn ?? Promise.resolve()).then(async () => {
      await outer.em.flush();
      const inner = outer.em.fork({ clear: true, keepTransactionContext: true });
      return inner.transactional(async (em) => {
        await em.execute(openTenantScope(scope));
        const result = await this.#running.run({ em, scope }, () => work(em));
        await em.flush();
        await em.execute(closeTenantScope);
        return result;
      });
    });
    outer.turn = turn.catch(() => undefined);
    return turn;
  }
}

const closeTenantScope = `set local role none; set local app.license_id = ''`;

/** SQL that narrows the running transaction to one license. */
export function openTenantScope(scope: { licenseId: string }): string {
  return `set local role ${tenantRole}; set local app.license_id = '${checkedLicenseId(scope)}'`;
}

function checkedLicenseId({ licenseId }: { licenseId: string }): string {
  if (!uuid.test(licenseId)) throw new Error('a license id is a UUID');
  return licenseId;
}
