// Opens checkouts at the payment provider: at once where that works, and otherwise by a job; and asks what became of them.
import type { TenantScope } from '../../database/tenant-scope.ts';
import { StoreOrder } from '../../entities/index.ts';
import type { CheckoutRequest, PaymentProvider } from '../../payments/provider.ts';
import { takeNews } from '../webstore-orders/payments.ts';
import type { StoreSecrets } from '../webstore/accounts.ts';

export interface CheckoutParts {
  tenant: TenantScope;
  secrets: StoreSecrets;
  stripe: PaymentProvider;
  publicUrl: () => string;
}

/** How long an order can be paid, and how much earlier its checkout ends: what is told of the end takes its time. */
export const payableMs = 40 * 60_000;
const lastMinutesMs = 5 * 60_000;
/** Stripe opens none for less than half an hour. */
const openableMs = 4 * 60_000;

export class Checkouts {
  readonly #parts: CheckoutParts;

  constructor(parts: CheckoutParts) {
    this.#parts = parts;
  }

  /** Asking twice opens one checkout; asking too late opens none, and the order expires. */
  async open(licenseId: string, orderId: string): Promise<void> {
    const { tenant, secrets, stripe } = this.#parts;
    const found = await tenant.read(licenseId, async (queries) => ({
      account: await secrets.read(queries, licenseId),
      order: await queries
        .selectFrom('store_order as bought')
        .innerJoin('license', 'license.id', 'bought.license_id')
        .select(['bought.currency', 'bought.created_at', 'bought.expires_at', 'license.subdomain'])
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
    const { account, order, lines } = found;
    if (account === undefined || order === undefined) return;
    if (Date.now() > Date.parse(order.created_at) + openableMs) return;
    const request: CheckoutRequest = {
      orderId,
      licenseId,
      currency: order.currency,
      lines,
      expiresAt: new Date(Date.parse(order.expires_at) - lastMinutesMs),
      returnUrl: orderPage(this.#parts.publicUrl(), order.subdomain, orderId),
    };
    const { reference, url } = await stripe.openCheckout(request, account.secretKey);
    await tenant.transact(licenseId, (em) =>
      em.nativeUpdate(
        StoreOrder,
        { id: orderId, checkoutUrl: null },
        { checkoutReference: reference, checkoutUrl: url },
      ),
    );
  }

  /** Takes what the provider says of it; until then the units of the order are kept for whoever may have paid them. */
  async close(licenseId: string, orderId: string): Promise<void> {
    const { tenant, secrets, stripe } = this.#parts;
    const { account, order } = await tenant.read(licenseId, async (queries) => ({
      account: await secrets.read(queries, licenseId),
      order: await queries
        .selectFrom('store_order')
        .select('checkout_reference')
        .where('id', '=', orderId)
        .where('status', '=', 'pending')
        .executeTakeFirst(),
    }));
    if (account === undefined || !order?.checkout_reference) return;
    const news = await stripe.closeCheckout(order.checkout_reference, account.secretKey);
    await tenant.transact(licenseId, (em) => takeNews(em, { licenseId, provider: 'stripe' }, news));
  }
}

/** The page on which buyers see how their order stands. */
export const orderPage = (publicUrl: string, subdomain: string, orderId: string): string =>
  `${publicUrl}/store/${subdomain}?order=${orderId}`;
