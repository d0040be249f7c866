// Buyers' orders: created at the store's prices, read by their id, and advanced by provider callbacks.
import { LockMode } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { Ctx } from '../../../context.ts';
import type { Schemas } from '../../../platform-contract/types.ts';
import type { EntityManager } from '../../../database/connection.ts';
import { licenseNow } from '../../../database/license-clock.ts';
import type { Queries } from '../../../database/reader.ts';
import type { TenantScope } from '../../../database/tenant-scope.ts';
import { StoreConfig, StoreOrder, StoreOrderLine } from '../../../entities/index.ts';
import { DomainError, notFound } from '../../../errors.ts';
import { enqueueJob } from '../../../queue/enqueue.ts';
import {
  invalidSignature,
  type Callback,
  type PaymentProvider,
  type ProviderName,
} from '../../../payments/provider.ts';
import { amountOf, minTotalOf } from '../../../payments/money.ts';
import { sandboxNews, sandboxReference } from '../../../payments/sandbox.ts';
import { refuseBeyond } from '../../../preconditions/limits.ts';
import { isSandbox } from '../../../preconditions/sandboxes.ts';
import { holdPayment, takeNews, type CallbackOutcome } from '../orders/payments.ts';
import type { Account, StoreSecrets } from '../settings/accounts.ts';
import { isOpen } from '../settings/openness.ts';
import { linesFor } from './basket.ts';
import { orderPage, payableMs, type Checkouts } from './checkouts.ts';
import type { OrderSources } from './order-sources.ts';
import type { PublicStores, StoreRow } from './public-stores.ts';

export type PurchaseRow = Awaited<ReturnType<typeof purchaseOf>>;

type Input = Schemas['PublicOrderCreate'];

export interface PurchaseParts {
  stores: Pick<PublicStores, 'find' | 'licenseOf'>;
  tenant: TenantScope;
  secrets: StoreSecrets;
  stripe: PaymentProvider;
  publicUrl: () => string;
  checkouts: Checkouts;
  sources: OrderSources;
  allowsSandbox: boolean;
}

/** Maximum payable orders for one player at a time; more than one address can create while they are payable. */
export const maxPending = 40;
/** A checkout that could not be opened at once is retried by a job. */
const retryMs = 15_000;

export class Purchases {
  readonly #parts: PurchaseParts;

  constructor(parts: PurchaseParts) {
    this.#parts = parts;
  }

  /** Records the order. `openCheckout` opens its checkout afterwards, or a job does if that fails. */
  async create(ctx: Ctx, subdomain: string, input: Input): Promise<PurchaseRow> {
    const { stores, tenant } = this.#parts;
    const store = await stores.find(subdomain);
    return tenant.transact(store.license_id, (em, queries) =>
      this.#order(em, queries, store, { input, address: ctx.source }),
    );
  }

  /** Opens the checkout of a new order, and returns the order with it. Call it outside transactions. */
  async openCheckout(purchase: PurchaseRow): Promise<PurchaseRow> {
    const { license_id: licenseId, provider } = purchase;
    if (provider === 'sandbox') return purchase;
    await this.#parts.checkouts.open(licenseId, purchase.id);
    return this.#parts.tenant.read(licenseId, (queries) => purchaseOf(queries, purchase.id));
  }

  /** Also works once the store is closed, since buyers keep access to their orders. */
  async get(subdomain: string, orderId: string): Promise<PurchaseRow> {
    const licenseId = await this.#parts.stores.licenseOf(subdomain);
    if (licenseId === undefined) throw notFound('order');
    return this.#parts.tenant.read(licenseId, (queries) => purchaseOf(queries, orderId));
  }

  /** Simulates a provider callback for a sandbox order. */
  async simulatePayment(
    subdomain: string,
    orderId: string,
    { outcome }: Schemas['PaymentSimulation'],
  ): Promise<PurchaseRow> {
    const licenseId = await this.#parts.stores.licenseOf(subdomain);
    if (licenseId === undefined) throw notFound('order');
    return this.#parts.tenant.transact(licenseId, async (em, queries) => {
      const isTaking = await this.#takesSandbox(em, queries, licenseId);
      await holdPayment(em, licenseId, sandboxReference(orderId));
      const lock = { lockMode: LockMode.PESSIMISTIC_WRITE };
      const order = await em.findOne(StoreOrder, { id: orderId, provider: 'sandbox' }, lock);
      if (order === null) throw notFound('order');
      if (!this.#parts.allowsSandbox && !(await isSandbox(queries, licenseId)))
        throw new DomainError('provider_not_ready', 'This installation does not allow sandbox payments.');
      if (outcome === 'paid' && !order.paidAt) refuseUnpayable(order, isTaking, await licenseNow(queries));
      await takeNews(em, { licenseId, provider: 'sandbox' }, sandboxNews(order, outcome));
      return purchaseOf(queries, orderId);
    });
  }

  /** Whether the store is open with the sandbox. The row lock keeps the result valid until the transaction ends. */
  async #takesSandbox(em: EntityManager, queries: Queries, licenseId: string): Promise<boolean> {
    await em.findOne(StoreConfig, licenseId, { lockMode: LockMode.PESSIMISTIC_READ });
    const store = await queries
      .selectFrom('store_config as config')
      .innerJoin('license', 'license.id', 'config.license_id')
      .select('config.provider')
      .where('config.provider', '=', 'sandbox')
      .where('license.status', '=', 'active')
      .where(isOpen(this.#parts.allowsSandbox))
      .executeTakeFirst();
    return store !== undefined;
  }

  /** Handles a callback of the license's provider. A license without a secret accepts none. */
  async takeCallback(subdomain: string, callback: Callback): Promise<CallbackOutcome> {
    const { stores, tenant, secrets, stripe } = this.#parts;
    const licenseId = await stores.licenseOf(subdomain);
    if (licenseId === undefined) throw invalidSignature();
    const accounts = await tenant.read(licenseId, (queries) => secrets.list(queries, licenseId));
    const { account, news } = await signedFor(stripe, callback, accounts);
    if (news === null) return 'ignored';
    const source = {
      licenseId,
      provider: 'stripe',
      ...(account.isRetired && { accountId: account.id }),
    } as const;
    return tenant.transact(licenseId, (em) => takeNews(em, source, news));
  }

  async #order(
    em: EntityManager,
    queries: Queries,
    store: StoreRow,
    { input, address }: { input: Input; address: string },
  ): Promise<PurchaseRow> {
    const { license_id: licenseId, provider, currency, subdomain } = store;
    if (provider === null) throw notFound('store');
    const { steam_id: steamId } = input;
    const sourceHash = this.#parts.sources.hash(licenseId, address);
    const lines = await linesFor(em, queries, { steamId, sourceHash, currency, wanted: input.items });
    const now = await licenseNow(queries);
    const totalMinor = lines.reduce((sum, { unitMinor, quantity }) => sum + unitMinor * quantity, 0);
    if (provider === 'stripe' && totalMinor < minTotalOf(currency))
      throw new DomainError(
        'amount_too_small',
        `The minimum total of an order is ${amountOf(minTotalOf(currency), currency)} ${currency}; add items.`,
      );
    await refuseBeyond(em, {
      subject: `orders ${licenseId} ${steamId}`,
      max: maxPending,
      count: () => em.count(StoreOrder, { steamId, status: 'pending', expiresAt: { $gt: now } }),
      detail: `This player has ${maxPending} unpaid orders; pay one, or wait until one expires.`,
    });
    const order = em.create(StoreOrder, {
      accountId: await accountFor(em, provider),
      steamId,
      playerName: input.player_name ?? null,
      ...(input.email !== undefined && { receiptEmail: input.email, receiptStatus: 'waiting' as const }),
      sourceHash,
      provider,
      isTest: store.is_test,
      currency,
      totalMinor,
      expiresAt: new Date(now.getTime() + payableMs),
    });
    await em.flush();
    const { id: orderId } = order;
    for (const line of lines) em.create(StoreOrderLine, { orderId, ...line });
    if (provider === 'sandbox') order.checkoutUrl = orderPage(this.#parts.publicUrl(), subdomain, orderId);
    else {
      const named = { license_id: licenseId, order_id: orderId };
      await enqueueJob(em, 'open-checkout', named, { runAt: new Date(Date.now() + retryMs) });
      await enqueueJob(em, 'close-checkout', named, { runAt: order.expiresAt });
    }
    await em.flush();
    return purchaseOf(queries, orderId);
  }
}

/** The account that the provider pays; the order keeps it for its lifetime. */
async function accountFor(em: EntityManager, provider: ProviderName): Promise<string | null> {
  if (provider === 'sandbox') return null;
  const [account] = await em.execute<{ id: string }[]>(
    'select id from store_account where provider = ? and retired_at is null for key share',
    [provider],
  );
  if (account === undefined) throw notFound('store');
  return account.id;
}

/** An ended order no longer reserves its units, and a store that takes real payments does not honour sandbox orders. */
function refuseUnpayable({ status, expiresAt }: StoreOrder, isTaking: boolean, now: Date): void {
  if (!isTaking) throw new DomainError('provider_not_ready', 'The store does not accept sandbox payments.');
  if (status === 'failed' || status === 'expired' || expiresAt <= now)
    throw new DomainError(
      'order_ended',
      'The order has expired or its payment has failed; place a new order.',
    );
}

/** The callback's event, and the account whose secret verified its signature. */
async function signedFor(stripe: PaymentProvider, callback: Callback, accounts: readonly Account[]) {
  for (const account of accounts) {
    try {
      return { account, news: await stripe.read(callback, account.webhookSecret) };
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'invalid_signature') throw error;
    }
  }
  throw invalidSignature();
}

interface PurchasedLineRow {
  item_name: string;
  quantity: number;
  unit_minor: number;
  delivered: number;
  undelivered: number;
  deliveries: number;
}

/** Counts deliveries created by the payment; each stands for all its resends. */
const deliveriesOfLine = sql`
  select count(*) as total, count(*) filter (where has_arrived) as delivered,
    count(*) filter (where not has_arrived and has_ended) as undelivered
  from (
    select bool_or(tried.status = 'delivered') as has_arrived, bool_and(tried.finished_at is not null) as has_ended
    from store_delivery as first
    join store_delivery as tried on tried.license_id = first.license_id and first.id in (tried.id, tried.resend_of)
    where first.license_id = line.license_id and first.line_id = line.id and first.kind = 'delivery'
      and first.wipe_id is null and first.resend_of is null and tried.line_id = line.id
    group by first.id
  ) as delivery`;

async function purchaseOf(queries: Queries, id: string) {
  const purchase = await queries
    .selectFrom('store_order as bought')
    .select([
      'bought.id',
      'bought.license_id',
      'bought.status',
      'bought.provider',
      'bought.is_test',
      'bought.currency',
      'bought.total_minor',
      'bought.checkout_url',
      'bought.expires_at',
      sql<PurchasedLineRow[]>`(
        select jsonb_agg(jsonb_build_object('item_name', line.item_name, 'quantity', line.quantity,
          'unit_minor', line.unit_minor,
          'delivered', made.delivered, 'undelivered', made.undelivered, 'deliveries', made.total) order by line.id)
        from store_order_line as line cross join lateral (${deliveriesOfLine}) as made
        where line.license_id = bought.license_id and line.order_id = bought.id)`.as('lines'),
    ])
    .where('bought.id', '=', id)
    .executeTakeFirst();
  if (purchase === undefined) throw notFound('order');
  return purchase;
}
