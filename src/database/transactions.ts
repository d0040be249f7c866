// Runs transactions; one that is asked for inside another joins it, so that both commit or neither does.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { EntityManager } from './connection.ts';

/** A license's rows, or (null) the whole platform's. */
export type Scope = { licenseId: string } | null;

interface Running {
  em: EntityManager;
  scope: Scope;
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

  async #join<T>(outer: Running, scope: Scope, work: (em: EntityManager) => Promise<T>): Promise<T> {
    if (outer.scope?.licenseId === scope?.licenseId) return work(outer.em);
    if (outer.scope !== null || scope === null) {
      throw new Error('a transaction can only narrow from the platform to one license');
    }
    await outer.em.flush();
    await outer.em.execute(openTenantScope(scope));
    const result = await this.#running.run({ em: outer.em, scope }, async () => {
      const value = await work(outer.em);
      await outer.em.flush();
      return value;
    });
    await outer.em.execute('set local role none');
    return result;
  }
}

/** SQL that narrows the running transaction to one license. */
export function openTenantScope(scope: { licenseId: string }): string {
  return `set local role ${tenantRole}; set local app.license_id = '${checkedLicenseId(scope)}'`;
}

function checkedLicenseId({ licenseId }: { licenseId: string }): string {
  if (!uuid.test(licenseId)) throw new Error('a license id is a UUID');
  return licenseId;
}
