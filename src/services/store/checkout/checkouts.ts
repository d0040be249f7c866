// Opens checkouts at the payment provider, at once or by a job, and polls their outcomes.
import type { TenantScope } from '../../../database/tenant-scope.ts';
import { StoreOrder } from '../../../entities/index.ts';
import { enqueueJob } from '../../../queue/enqueue.ts';
import {
  ProviderRefusal,
  type CheckoutRequest,
  type PaymentNews,
  type PaymentProvider,
} from '../../../payments/provider.ts';
import { takeNews } from '../orders/payments.ts';
import type { Account, StoreSecrets } from '../settings/accounts.ts';

export interface CheckoutParts {
  tenant: TenantScope;
  secrets: StoreSecrets;
  stripe: PaymentProvider;
  publicUrl: () => string;
}

/** How long an order can be paid and reserves its units. Afterwards its checkout is ended. */
export const payableMs = 15 * 60_000;
/**
 * Stripe refuses checkouts shorter than 30 minutes. This one ends by itself after this time, however late it was
 * opened.
 */
const checkoutMs = 35 * 60_000;
const openableMs = 4 * 60_000;
/** Waits this long for the provider's callback before the first poll. */
const firstAskMs = 3 * 60_000;

export class Checkouts {
  readonly #parts: CheckoutParts;

  constructor(parts: CheckoutParts) {
    this.#parts = parts;
  }

  /** Idempotent: repeated calls open one checkout. If called too late it opens none, and the order expires. */
  async open(licenseId: string, orderId: string): Promise<void> {
    const { tenant, secrets, stripe } = this.#parts;
    const found = await tenant.read(licenseId, async (queries) => ({
      accounts: await secrets.list(queries, licenseId),
      order: await queries
        .selectFrom('store_order as bought')
        .innerJoin('license', 'license.id', 'bought.license_id')
        .select([
          'bought.account_id',
          'bought.checkout_attempt',
          'bought.currency',
          'bought.created_at',
          'license.subdomain',
        ])
        .where('bought.id', '=', orderId)
        .where('bought.status', '=', 'pending')
        .where('bought.checkout_url', 'is', null)
        .executeTakeFirst(),
      lines: await queries
        .selectFrom('store_order_line')
        .select(['item_name as name', 'unit_minor as unitMinor', 'quantity'])
        .where('order_id', '=', orderId)
        .orderBy('id')
        .execute(),
    }));
    const { order, lines } = found;
    if (order === undefined || Date.now() > Date.parse(order.created_at) + openableMs) return;
    const [account] = accountsFor(found.accounts, order.account_id);
    if (account === undefined) return;
    const attempt = order.checkout_attempt ?? 0;
    const request: CheckoutRequest = {
      orderId,
      licenseId,
      currency: order.currency,
      lines,
      expiresAt: new Date(Date.parse(order.created_at) + checkoutMs),
      returnUrl: orderPage(this.#parts.publicUrl(), order.subdomain, orderId),
      attempt,
    };
    try {
      const { reference, url } = await stripe.openCheckout(request, account.secretKey);
      const nextAskAt = new Date(Date.now() + firstAskMs);
      await this.#note(licenseId, orderId, { checkoutReference: reference, checkoutUrl: url, nextAskAt });
    } catch (error) {
      if (!(error instanceof ProviderRefusal)) throw error;
      if (error.kind !== 'fault') return this.#refused(licenseId, orderId, error);
      await this.#note(licenseId, orderId, { checkoutAttempt: attempt + 1 });
      throw error;
    }
  }

  /** Applies the provider's current state of the checkout, also if it has not ended. */
  async ask(licenseId: string, orderId: string): Promise<void> {
    const { stripe } = this.#parts;
    await this.#take(licenseId, orderId, (reference, key) => stripe.askCheckout(reference, key));
  }

  /** Applies how the checkout ended. Until then the order keeps its units, since the buyer may have paid. */
  async close(licenseId: string, orderId: string): Promise<void> {
    const { stripe } = this.#parts;
    await this.#take(licenseId, orderId, (reference, key) => stripe.closeCheckout(reference, key));
  }

  async #take(
    licenseId: string,
    orderId: string,
    find: (reference: string, secretKey: string) => Promise<PaymentNews | null>,
  ): Promise<void> {
    const { tenant, secrets } = this.#parts;
    const { accounts, order } = await tenant.read(licenseId, async (queries) => ({
      accounts: await secrets.list(queries, licenseId),
      order: await queries
        .selectFrom('store_order')
        .select(['checkout_reference', 'account_id'])
        .where('id', '=', orderId)
        .where('next_ask_at', 'is not', null)
        .executeTakeFirst(),
    }));
    if (!order?.checkout_reference) return;
    const reference = order.checkout_reference;
    const news = await firstReply(accountsFor(accounts, order.account_id), ({ secretKey }) =>
      find(reference, secretKey),
    );
    if (news !== null)
      await tenant.transact(licenseId, (em) => takeNews(em, { licenseId, provider: 'stripe' }, news));
  }

  /** Updates the order only while it has no open checkout. */
  async #note(licenseId: string, id: string, values: Partial<StoreOrder>): Promise<void> {
    await this.#parts.tenant.transact(licenseId, (em) =>
      em.nativeUpdate(StoreOrder, { id, checkoutUrl: null }, values),
    );
  }

  /** A retry would be refused too, so the order ends and the license's members must act. */
  async #refused(licenseId: string, id: string, { message }: ProviderRefusal): Promise<void> {
    const problem = `The provider opens no checkout: ${message}`.slice(0, 1_000);
    await this.#parts.tenant.transact(licenseId, async (em) => {
      const waiting = { id, status: 'pending', checkoutUrl: null } as const;
      const ended = { status: 'failed', hasFailed: true, problem } as const;
      if ((await em.nativeUpdate(StoreOrder, waiting, ended)) > 0)
        await enqueueJob(em, 'warn-of-payment', { license_id: licenseId, order_id: id });
    });
  }
}

/** The account that the order was paid with, and the current one: its key may be the newer key of the same account. */
function accountsFor(accounts: readonly Account[], id: string | null): Account[] {
  const own = accounts.find((account) => account.id === id);
  const inUse = accounts.find(({ isRetired }) => !isRetired);
  return [...new Set([own, inUse])].filter((account) => account !== undefined);
}

/** Returns what the provider reports for the first account that it does not refuse; null if there is no account. */
async function firstReply(
  [account, ...others]: readonly Account[],
  find: (account: Account) => Promise<PaymentNews | null>,
): Promise<PaymentNews | null> {
  if (account === undefined) return null;
  try {
    return await find(account);
  } catch (error) {
    const isNotIts = error instanceof ProviderRefusal && error.kind !== 'fault';
    if (!isNotIts || others.length === 0) throw error;
    return firstReply(others, find);
  }
}

/** The page on which buyers see the status of their order. */
export const orderPage = (publicUrl: string, subdomain: string, orderId: string): string =>
  `${publicUrl}/store/${subdomain}?order=${orderId}`;
