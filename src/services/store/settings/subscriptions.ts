// The webstore subscription of a license: requested, confirmed by the provider, cancelled, and updated by callbacks.
import { LockMode } from '@mikro-orm/core';
import type { Ctx } from '../../../context.ts';
import type { Schemas } from '../../../platform-contract/types.ts';
import type { EntityManager } from '../../../database/connection.ts';
import { refusing } from '../../../database/faults.ts';
import { licenseNow } from '../../../database/license-clock.ts';
import type { Queries } from '../../../database/reader.ts';
import type { TenantScope } from '../../../database/tenant-scope.ts';
import { Subscription } from '../../../entities/index.ts';
import { DomainError } from '../../../errors.ts';
import { enqueueJob } from '../../../queue/enqueue.ts';
import type { ProviderName } from '../../../payments/provider.ts';
import type { PaymentSettings } from '../../../payments/settings.ts';
import type { SubscriptionNews, SubscriptionProvider } from '../../../payments/subscription-provider.ts';
import type { CallbackOutcome } from '../orders/payments.ts';
import { isSandbox } from '../../../preconditions/sandboxes.ts';
import { lockStore } from './index.ts';
import { currentOf, live, subscriptionOf } from './subscription-rows.ts';
import { formats } from '../../../values/formats.ts';

export type SubscriptionRow = Awaited<ReturnType<typeof subscriptionOf>>;

export interface SubscriptionParts {
  /** Runs `licenseOfSubscription` on the subscriptions of every license. */
  licenseOf: (subscriptionId: string) => Promise<string | undefined>;
  tenant: TenantScope;
  payments: PaymentSettings;
  provider: SubscriptionProvider;
  publicUrl: () => string;
}

const reference = 'webstore';
const monthMs = 30 * 24 * 60 * 60_000;
/** A checkout that could not be opened at once is retried by a job. */
const retryMs = 15_000;
export class StoreSubscriptions {
  readonly #parts: SubscriptionParts;

  constructor(parts: SubscriptionParts) {
    this.#parts = parts;
  }

  async get(ctx: Ctx): Promise<SubscriptionRow> {
    return ctx.read((queries) => this.#current(queries));
  }

  create(ctx: Ctx): Promise<SubscriptionRow> {
    return ctx.transact((em, queries) => this.#begin(ctx, em, queries));
  }

  /** Opens the checkout of a new subscription, and returns the subscription with it. Call it outside transactions. */
  async openCheckout(ctx: Ctx, subscription: SubscriptionRow): Promise<SubscriptionRow> {
    if (subscription.provider !== 'stripe') return subscription;
    await this.open(ctx.licenseId, subscription.id);
    return ctx.read((queries) => this.#of(queries, subscription.id));
  }

  /** Opens the checkout unless one exists; a job calls it too. */
  async open(licenseId: string, id: string): Promise<void> {
    const { tenant, payments, provider, publicUrl } = this.#parts;
    const found = await tenant.read(licenseId, async (queries) => ({
      waiting: await queries
        .selectFrom('subscription')
        .innerJoin('license', 'license.id', 'subscription.license_id')
        .select('license.subdomain')
        .where('subscription.id', '=', id)
        .where('subscription.status', '=', 'trialing')
        .where('subscription.provider_reference', 'is', null)
        .executeTakeFirst(),
      earlier: await queries
        .selectFrom('subscription')
        .select('id')
        .where('kind', '=', 'webstore')
        .where('confirmed_at', 'is not', null)
        .limit(1)
        .executeTakeFirst(),
    }));
    if (found.waiting === undefined) return;
    const opened = await provider.open({
      subscriptionId: id,
      licenseId,
      trialDays: found.earlier === undefined ? payments.trialDays : 0,
      returnUrl: `${publicUrl()}/store/${found.waiting.subdomain}`,
    });
    await tenant.transact(licenseId, async (em) => {
      const found = await em.findOne(Subscription, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
      const isLive = found !== null && live.includes(found.status);
      if (isLive && !found.providerReference)
        em.assign(found, { providerReference: opened.reference, checkoutUrl: opened.url });
      // Cancelled while its checkout was being opened: the customer must not be charged.
      if (!isLive && !found?.confirmedAt)
        await enqueueJob(em, 'cancel-subscription', { reference: opened.reference });
      await em.flush();
    });
  }

  async cancel(ctx: Ctx): Promise<SubscriptionRow> {
    return ctx.transact(async (em, queries) => {
      await lockStore(em, ctx.licenseId);
      const { id } = await this.#current(queries);
      const subscription = await em.findOneOrFail(Subscription, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (!live.includes(subscription.status)) return this.#of(queries, id);
      const isConfirmed = Boolean(subscription.confirmedAt);
      const now = await licenseNow(queries);
      subscription.cancelledAt = now;
      subscription.status = isConfirmed ? 'cancelled' : 'expired';
      if (!isConfirmed) subscription.endsAt = now;
      else if (subscription.provider === 'sandbox') subscription.endsAt ??= new Date(now.getTime() + monthMs);
      if (subscription.provider === 'stripe' && subscription.providerReference)
        await enqueueJob(em, 'cancel-subscription', { reference: subscription.providerReference });
      await em.flush();
      return this.#of(queries, id);
    });
  }

  /** Handles a callback of the platform's payment provider. */
  async take(signature: string, rawBody: Uint8Array | undefined): Promise<CallbackOutcome> {
    const news = await this.#parts.provider.read({ body: rawBody ?? new Uint8Array(), signature });
    if (news === null || !formats.uuid(news.subscriptionId)) return 'ignored';
    const licenseId = await this.#parts.licenseOf(news.subscriptionId);
    if (licenseId === undefined) return 'ignored';
    return this.#parts.tenant.transact(licenseId, (em) => applied(em, 'stripe', news));
  }

  /** Simulates a provider callback for a sandbox subscription. */
  async simulateStatus(ctx: Ctx, { status }: Schemas['SubscriptionSimulation']): Promise<SubscriptionRow> {
    return ctx.transact(async (em, queries) => {
      const { id, provider } = await this.#current(queries);
      if (provider !== 'sandbox' || !(await this.#mayUseSandbox(ctx, queries)))
        throw new DomainError(
          'provider_not_ready',
          'Only sandbox subscriptions can be given a status, on installations that allow the sandbox.',
        );
      const now = await licenseNow(queries);
      const [made] = await em.execute<{ event_id: string }[]>('select uuidv7() as event_id');
      await applied(em, 'sandbox', {
        eventId: `sandbox ${made?.event_id ?? ''}`,
        subscriptionId: id,
        reference: `sandbox ${id}`,
        status,
        endsAt: endOf(status, now),
        at: now,
      });
      return this.#of(queries, id);
    });
  }

  async #mayUseSandbox(ctx: Ctx, queries: Queries): Promise<boolean> {
    return this.#parts.payments.allowsSandbox || (await isSandbox(queries, ctx.licenseId));
  }

  #current(queries: Queries) {
    return currentOf(queries, this.#parts.payments.allowsSandbox);
  }

  #of(queries: Queries, id: string) {
    return subscriptionOf(queries, id, this.#parts.payments.allowsSandbox);
  }

  async #begin(ctx: Ctx, em: EntityManager, queries: Queries): Promise<SubscriptionRow> {
    const { payments } = this.#parts;
    const allowsSandbox = await this.#mayUseSandbox(ctx, queries);
    const provider = (await isSandbox(queries, ctx.licenseId)) ? 'sandbox' : providerOf(payments);
    await lockStore(em, ctx.licenseId);
    // An unconfirmed subscription expires after a day; a sandbox one at once if the sandbox is no longer allowed.
    await em.execute(
      `update subscription set status = 'expired', ends_at = license_now()
       where kind = 'webstore' and (status = 'trialing' and confirmed_at is null
           and created_at < license_now() - interval '1 day'
         or status in ('trialing', 'active', 'past_due') and provider = 'sandbox' and not ?::boolean)`,
      [allowsSandbox],
    );
    const subscription = em.create(Subscription, {
      kind: 'webstore',
      reference,
      status: 'trialing',
      // Sandbox subscriptions bring no revenue.
      amount: provider === 'sandbox' ? '0.00' : payments.price.amount,
      currency: payments.price.currency,
      period: 'month',
      provider,
    });
    await refusing({ subscription_one_webstore: alreadySubscribed }, () => em.flush());
    if (provider === 'stripe')
      await enqueueJob(
        em,
        'open-subscription',
        { license_id: ctx.licenseId, subscription_id: subscription.id },
        { runAt: new Date(Date.now() + retryMs) },
      );
    return this.#of(queries, subscription.id);
  }
}

/** The license of a webstore subscription that the payment provider knows. */
export async function licenseOfSubscription(
  queries: Queries,
  subscriptionId: string,
): Promise<string | undefined> {
  const owner = await queries
    .selectFrom('subscription')
    .select('license_id')
    .where('id', '=', subscriptionId)
    .where('kind', '=', 'webstore')
    .where('provider', '=', 'stripe')
    .executeTakeFirst();
  return owner?.license_id;
}

/** Applies an event once, and only if it is newer than the known state. */
async function applied(
  em: EntityManager,
  provider: ProviderName,
  news: SubscriptionNews,
): Promise<CallbackOutcome> {
  const subscription = await em.findOne(Subscription, news.subscriptionId, {
    lockMode: LockMode.PESSIMISTIC_WRITE,
  });
  if (subscription === null) return 'ignored';
  const noted = await em.execute<{ id: string }[]>(
    `insert into subscription_event (subscription_id, provider, event_id, status, occurred_at)
     values (?, ?, ?, ?, ?) on conflict (provider, event_id) do nothing returning id`,
    [subscription.id, provider, news.eventId, news.status, news.at],
  );
  if (noted.length === 0) return 'repeated';
  if (isOutdated(subscription, news)) return 'ignored';
  const comesBack = live.includes(news.status) && !live.includes(subscription.status);
  const others = { id: { $ne: subscription.id }, kind: 'webstore', status: { $in: live } } as const;
  const wasCancelled = Boolean(subscription.cancelledAt) && !subscription.confirmedAt;
  if (comesBack && (wasCancelled || (await em.count(Subscription, others)) > 0)) {
    if (provider === 'stripe') await enqueueJob(em, 'undo-subscription', { reference: news.reference });
    return 'refused';
  }
  em.assign(subscription, {
    status: news.status,
    endsAt: news.endsAt,
    toldAt: news.at,
    providerReference: news.reference,
    confirmedAt: subscription.confirmedAt ?? new Date(),
    cancelledAt: news.status === 'cancelled' ? (subscription.cancelledAt ?? news.at) : null,
  });
  await em.flush();
  return 'applied';
}

/**
 * The provider's times are whole seconds: of two states with equal times the one further on wins, and an end ranks
 * last.
 */
const ranks: readonly SubscriptionNews['status'][] = [
  'trialing',
  'active',
  'past_due',
  'expired',
  'cancelled',
];

function isOutdated({ status, toldAt, endsAt, providerReference }: Subscription, news: SubscriptionNews) {
  if (!toldAt) return false;
  const hasEnded = status === 'cancelled' && Boolean(endsAt && endsAt <= toldAt);
  if (hasEnded && providerReference === news.reference) return true;
  if (toldAt.getTime() === news.at.getTime()) return ranks.indexOf(news.status) < ranks.indexOf(status);
  return toldAt > news.at;
}

/** The provider that charges for the webstore on this installation. */
function providerOf({ account, allowsSandbox }: PaymentSettings): ProviderName {
  if (account !== undefined) return 'stripe';
  if (allowsSandbox) return 'sandbox';
  throw new DomainError('provider_not_ready', 'This installation has no payment provider.');
}

function endOf(status: SubscriptionNews['status'], now: Date): Date | null {
  if (status === 'expired') return now;
  return status === 'trialing' || status === 'cancelled' ? new Date(now.getTime() + monthMs) : null;
}

const alreadySubscribed = () =>
  new DomainError('already_subscribed', 'The license already has a subscription to the webstore.');
