// With whom the installation takes payments, and what it takes for the webstore itself.
import type { Currency } from './money.ts';

export interface PaymentSettings {
  /** Where the API of Stripe is. */
  stripeUrl: string;
  /** The platform's own account, for subscriptions to the webstore. */
  account?: { secretKey: string; webhookSecret: string } | undefined;
  /** Whether stores and subscriptions may be had without paying. */
  allowsSandbox: boolean;
  /** What a month of the webstore costs. */
  price: { amount: string; currency: Currency };
  /** Days that the first subscription of a license is not paid for. */
  trialDays: number;
}

export const usualPayments: PaymentSettings = {
  stripeUrl: 'https://api.stripe.com',
  allowsSandbox: false,
  price: { amount: '9.99', currency: 'USD' },
  trialDays: 14,
};
