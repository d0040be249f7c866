// Subscriptions of a license to modules with a recurring price: started, renewed, cancelled and reactivated.
import { LockMode } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { Ctx } from '../../context.ts';
import type { Query } from '../../platform-contract/types.ts';
import { licenseNowIn } from '../../database/license-clock.ts';
import type { EntityManager } from '../../database/connection.ts';
import type { Queries } from '../../database/reader.ts';
import { ModulePurchase, Subscription, type Module } from '../../entities/index.ts';
import { DomainError, notFound } from '../../errors.ts';
import { hundredthsInWords, hundredthsOf } from '../../payments/money.ts';
import { byId, pageOf } from '../../lists/page.ts';
import { boundaryOf, daysAfter, type BillingPeriod } from './billing-periods.ts';
import { renewingStatuses } from './ownership.ts';

export type ModuleSubscriptionRow = Awaited<ReturnType<typeof subscriptionOf>>;

/** The price of a module for the license, and its billing period. */
export interface Offer {
  /** In hundredths of the module's currency. */
  amount: number;
  period: BillingPeriod;
}

export class ModuleSubscriptions {
  async list(ctx: Ctx, query: Query<'listModuleSubscriptions'>) {
    return ctx.read((queries) => pageOf(subscriptionsOf(queries), query, byId('own.id', 'desc')));
  }

  async get(ctx: Ctx, id: string): Promise<ModuleSubscriptionRow> {
    return ctx.read((queries) => subscriptionOf(queries, id));
  }

  /** Cancels the subscription at the end of the paid period. */
  async cancel(ctx: Ctx, id: string): Promise<ModuleSubscriptionRow> {
    return ctx.transact(async (em, queries) => {
      const subscription = await lockedSubscription(em, id);
      if (renewingStatuses.includes(subscription.status))
        em.assign(subscription, {
          status: 'cancelled',
          cancelledAt: await licenseNowIn(em),
          endsAt: periodOf(subscription).end,
        });
      await em.flush();
      return subscriptionOf(queries, id);
    });
  }

  /** Withdraws a cancellation while the paid period still runs. */
  async reactivate(ctx: Ctx, id: string): Promise<ModuleSubscriptionRow> {
    return ctx.transact(async (em, queries) => {
      const subscription = await lockedSubscription(em, id);
      const { status, endsAt } = subscription;
      if (!renewingStatuses.includes(status)) {
        if (status !== 'cancelled' || !endsAt || endsAt <= (await licenseNowIn(em)))
          throw subscriptionEnded();
        const isTrial = periodOf(subscription).number === 0;
        em.assign(subscription, { status: isTrial ? 'trialing' : 'active', cancelledAt: null, endsAt: null });
      }
      await em.flush();
      return subscriptionOf(queries, id);
    });
  }
}

/** Starts a subscription and records its first period: the free trial, or the first charged period. */
export async function beginSubscription(
  em: EntityManager,
  module: Module,
  { amount, period }: Offer,
  subscribedBy: string,
): Promise<ModulePurchase> {
  const { id: moduleId, currency } = module;
  const hadOne = (await em.count(Subscription, { moduleId })) > 0;
  const trialDays = hadOne ? 0 : module.trialDays;
  const now = await licenseNowIn(em);
  const isTrial = trialDays > 0;
  const anchorAt = isTrial ? daysAfter(now, trialDays) : now;
  const subscription = em.create(Subscription, {
    kind: 'module',
    reference: module.slug,
    moduleId,
    status: isTrial ? 'trialing' : 'active',
    amount: hundredthsInWords(amount, currency).amount,
    currency,
    period,
    startedAt: now,
    anchorAt,
    periodNumber: isTrial ? 0 : 1,
    periodStart: now,
    periodEnd: isTrial ? anchorAt : boundaryOf(anchorAt, 1, period),
    subscribedBy,
  });
  await em.flush();
  return recordPeriod(em, subscription);
}

/** Starts the next period and records its charge. If the subscription waited for its license, the period starts now. */
export async function renewSubscription(
  em: EntityManager,
  subscription: Subscription,
  now: Date,
): Promise<void> {
  const { number, end } = periodOf(subscription);
  const hasWaited = subscription.status === 'past_due';
  const anchorAt = hasWaited || !subscription.anchorAt ? now : subscription.anchorAt;
  const periodNumber = hasWaited ? 1 : number + 1;
  em.assign(subscription, {
    status: 'active',
    anchorAt,
    periodNumber,
    periodStart: hasWaited ? now : end,
    periodEnd: boundaryOf(anchorAt, periodNumber, subscription.period),
  });
  await recordPeriod(em, subscription);
}

/** Records a purchase for each period, as for a one-time purchase. No payment gateway is behind either. */
async function recordPeriod(em: EntityManager, subscription: Subscription): Promise<ModulePurchase> {
  const { moduleId, currency, subscribedBy } = subscription;
  const { number, start, end } = periodOf(subscription);
  if (!moduleId || !subscribedBy) throw new Error(`subscription ${subscription.id} is to no module`);
  const charge = em.create(ModulePurchase, {
    moduleId,
    amount: number === 0 ? 0 : hundredthsOf(subscription.amount),
    currency,
    purchasedBy: subscribedBy,
    subscriptionId: subscription.id,
    periodStart: start,
    periodEnd: end,
  });
  await em.flush();
  return charge;
}

/** The current period; its number is 0 for a trial. */
export function periodOf({ id, periodNumber, periodStart, periodEnd }: Subscription) {
  if (periodNumber === null || periodNumber === undefined || !periodStart || !periodEnd)
    throw new Error(`subscription ${id} has no period`);
  return { number: periodNumber, start: periodStart, end: periodEnd };
}

async function lockedSubscription(em: EntityManager, id: string): Promise<Subscription> {
  const subscription = await em.findOne(
    Subscription,
    { id, moduleId: { $ne: null } },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  if (subscription === null) throw notFound('subscription');
  return subscription;
}

function subscriptionsOf(queries: Queries) {
  return queries
    .selectFrom('subscription as own')
    .innerJoin('module', 'module.id', 'own.module_id')
    .select([
      'own.id',
      'module.slug',
      'module.name',
      'own.status',
      'own.amount',
      'own.currency',
      'own.period',
      'own.period_start',
      'own.period_end',
      'own.subscribed_by',
      'own.started_at',
      'own.ends_at',
      'own.cancelled_at',
      'own.created_at',
      sql<boolean>`own.status in ('trialing', 'active', 'past_due')`.as('renews'),
    ])
    .$narrowType<{ period_start: string; period_end: string; subscribed_by: string }>();
}

async function subscriptionOf(queries: Queries, id: string) {
  const subscription = await subscriptionsOf(queries).where('own.id', '=', id).executeTakeFirst();
  if (subscription === undefined) throw notFound('subscription');
  return subscription;
}

const subscriptionEnded = () =>
  new DomainError('subscription_ended', 'The paid period has ended; start a new subscription.');
