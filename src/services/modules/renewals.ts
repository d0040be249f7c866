// Renews module subscriptions whose period has ended.
import { LockMode } from '@mikro-orm/core';
import { licenseNow } from '../../database/license-clock.ts';
import type { Queries } from '../../database/reader.ts';
import type { TenantScope } from '../../database/tenant-scope.ts';
import { License, Subscription } from '../../entities/index.ts';
import { renewingStatuses } from './ownership.ts';
import { daysAfter } from './billing-periods.ts';
import { periodOf, renewSubscription } from './subscriptions.ts';

/** A subscription whose license stays revoked or suspended for longer than this expires. */
const maxWaitDays = 30;
/** Due subscriptions read per batch. */
const batchSize = 200;

interface DueSubscription {
  id: string;
  license_id: string;
}

/** Runs `dueSubscriptions` on the subscriptions of every license. */
type FindDue = (last: string | undefined) => Promise<DueSubscription[]>;

/** The next due subscriptions, in the order of their ids. */
export function dueSubscriptions(queries: Queries, last: string | undefined): Promise<DueSubscription[]> {
  let due = queries
    .selectFrom('subscription')
    .select(['id', 'license_id'])
    .where('module_id', 'is not', null)
    .where('status', 'in', renewingStatuses)
    .where('period_end', '<=', new Date().toISOString())
    .orderBy('id')
    .limit(batchSize);
  if (last !== undefined) due = due.where('id', '>', last);
  return due.execute();
}

export class ModuleRenewals {
  readonly #tenant: TenantScope;

  constructor(tenant: TenantScope) {
    this.#tenant = tenant;
  }

  /** A failure does not keep others from being renewed; it is retried on the next run. */
  async renewDue(find: FindDue): Promise<void> {
    const failures: unknown[] = [];
    let last: string | undefined;
    for (;;) {
      const due = await find(last);
      for (const subscription of due)
        await this.#renew(subscription).catch((error: unknown) => failures.push(error));
      last = due.at(-1)?.id;
      if (due.length < batchSize) break;
    }
    if (failures.length > 0)
      throw new AggregateError(failures, `${failures.length} subscriptions were not renewed`);
  }

  /** Renews these subscriptions of a license, where they are due by its clock. */
  async renew(licenseId: string, ids: readonly string[]): Promise<void> {
    for (const id of ids) await this.#renew({ id, license_id: licenseId });
  }

  /** Charges each period that began since the last run, each in its own transaction, however long no job ran. */
  async #renew({ id, license_id: licenseId }: DueSubscription): Promise<void> {
    while (await this.#renewOnce(licenseId, id));
  }

  /** Returns whether a period was charged. A license that is not active is not charged: its subscription waits. */
  async #renewOnce(licenseId: string, id: string): Promise<boolean> {
    return this.#tenant.transact(licenseId, async (em, queries) => {
      const now = await licenseNow(queries);
      const subscription = await em.findOne(Subscription, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (subscription === null || !renewingStatuses.includes(subscription.status)) return false;
      const { end } = periodOf(subscription);
      if (end > now) return false;
      const { status } = await em.findOneOrFail(License, licenseId, { fields: ['status'] });
      if (status === 'active') {
        await renewSubscription(em, subscription, now);
        return true;
      }
      if (daysAfter(end, maxWaitDays) <= now) em.assign(subscription, { status: 'expired', endsAt: now });
      else subscription.status = 'past_due';
      await em.flush();
      return false;
    });
  }
}
