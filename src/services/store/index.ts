// The services of stores, which share the secrets of payment providers and the settings of payments.
import { StripePayments } from '../../payments/stripe.ts';
import { SubscriptionProvider } from '../../payments/subscription-provider.ts';
import type { LastingAccess } from '../auth/access-recheck.ts';
import { StoreCategories } from './catalogue/categories.ts';
import { StoreItems } from './catalogue/index.ts';
import { Checkouts } from './checkout/checkouts.ts';
import { Purchases } from './checkout/index.ts';
import { OrderSources } from './checkout/order-sources.ts';
import type { PublicStores } from './checkout/public-stores.ts';
import { StoreDeliveries } from './deliveries/index.ts';
import { StoreTransactions } from './orders/index.ts';
import { StoreSecrets } from './settings/accounts.ts';
import { StoreSettings } from './settings/index.ts';
import { StoreSubscriptions, type SubscriptionParts } from './settings/subscriptions.ts';

export interface StoreServiceParts extends Pick<SubscriptionParts, 'payments' | 'publicUrl' | 'tenant'> {
  encryptionSecret: string;
  lastingAccess: LastingAccess;
  publicStores: PublicStores;
  licenseOfSubscription: SubscriptionParts['licenseOf'];
}

export function createStoreServices({ publicStores, ...given }: StoreServiceParts) {
  const { payments, encryptionSecret, licenseOfSubscription, lastingAccess } = given;
  const parts = {
    ...given,
    allowsSandbox: payments.allowsSandbox,
    provider: new SubscriptionProvider(payments),
    secrets: new StoreSecrets(encryptionSecret),
    stripe: new StripePayments(payments.stripeUrl),
  };
  const checkouts = new Checkouts(parts);
  const sources = new OrderSources(encryptionSecret);
  return {
    checkouts,
    publicStores,
    purchases: new Purchases({ ...parts, stores: publicStores, checkouts, sources }),
    storeCategories: new StoreCategories(),
    storeDeliveries: new StoreDeliveries(),
    storeItems: new StoreItems(),
    storeSettings: new StoreSettings(parts),
    storeSubscriptions: new StoreSubscriptions({ ...parts, licenseOf: licenseOfSubscription }),
    storeTransactions: new StoreTransactions(lastingAccess),
  };
}
