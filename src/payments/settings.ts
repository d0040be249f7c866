// Payment settings of the installation: its provider account, and the price of the webstore.
import type { Currency } from './money.ts';

export interface PaymentSettings {
  /** The base URL of Stripe's API. */
  stripeUrl: string;
  /** The platform's own account, for subscriptions to the webstore. */
  account?: { secretKey: string; webhookSecret: string } | undefined;
  /** Whether sandbox payments, which move no money, are allowed. */
  allowsSandbox: boolean;
  /** The monthly price of the webstore. */
  price: { amount: string; currency: Currency };
  /** The trial period in days of a license's first subscription. */
  trialDays: number;
}

export const usualPayments: PaymentSettings = {
  stripeUrl: 'https://api.stripe.com',
  allowsSandbox: false,
  price: { amount: '9.99', currency: 'USD' },
  trialDays: 14,
};
