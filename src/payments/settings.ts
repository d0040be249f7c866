// Payment settings of the installation (its provider account, the price of the webstore), read from the environment.
import { currencies, decimalsOf, isChargeable, minorOf, type Currency } from './money.ts';

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

export const defaultPayments: PaymentSettings = {
  stripeUrl: 'https://api.stripe.com',
  allowsSandbox: false,
  price: { amount: '9.99', currency: 'USD' },
  trialDays: 14,
};

type Environment = Readonly<Record<string, string | undefined>>;

/** A fault in the settings; its message is one line that names the variable. */
export class PaymentSettingsFault extends Error {}

/** By default, sandbox payments are allowed except in production. */
export function paymentSettings(env: Environment, isProduction: boolean): PaymentSettings {
  return {
    stripeUrl: stripeUrl(text(env, 'GANTRY_STRIPE_URL')),
    account: account(env),
    allowsSandbox: sandbox(text(env, 'GANTRY_SANDBOX_PAYMENTS'), isProduction),
    price: price(text(env, 'GANTRY_WEBSTORE_PRICE')),
    trialDays: days(text(env, 'GANTRY_WEBSTORE_TRIAL_DAYS')),
  };
}

function text(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === '' ? undefined : value;
}

function stripeUrl(given: string | undefined): string {
  if (given === undefined) return defaultPayments.stripeUrl;
  if (!URL.canParse(given) || !['http:', 'https:'].includes(new URL(given).protocol))
    throw new PaymentSettingsFault('GANTRY_STRIPE_URL must be a URL that starts with http:// or https://');
  return given;
}

/** An account needs the secret of its callbacks, since otherwise forged callbacks would be accepted. */
function account(env: Environment): PaymentSettings['account'] {
  const secretKey = text(env, 'GANTRY_STRIPE_SECRET_KEY');
  const webhookSecret = text(env, 'GANTRY_STRIPE_WEBHOOK_SECRET');
  if (secretKey === undefined && webhookSecret === undefined) return undefined;
  if (secretKey === undefined || webhookSecret === undefined)
    throw new PaymentSettingsFault(
      'GANTRY_STRIPE_SECRET_KEY and GANTRY_STRIPE_WEBHOOK_SECRET are set together or not at all',
    );
  return { secretKey, webhookSecret };
}

function sandbox(given: string | undefined, isProduction: boolean): boolean {
  if (given === undefined) return !isProduction;
  if (given !== 'true' && given !== 'false')
    throw new PaymentSettingsFault('GANTRY_SANDBOX_PAYMENTS must be one of true, false');
  return given === 'true';
}

/** "9.99 USD": stored subscriptions have two decimals. */
function price(given: string | undefined): PaymentSettings['price'] {
  if (given === undefined) return defaultPayments.price;
  const [, amount = '', code = ''] = /^(\d{1,7}\.\d{2}) ([A-Z]{3})$/.exec(given) ?? [];
  if (amount === '')
    throw new PaymentSettingsFault(
      'GANTRY_WEBSTORE_PRICE must be an amount with two decimals and a currency, such as 9.99 USD',
    );
  const payable = currencies.filter((currency) => decimalsOf(currency) === 2);
  const currency = payable.find((known) => known === code);
  if (currency === undefined)
    throw new PaymentSettingsFault(
      `GANTRY_WEBSTORE_PRICE is in ${code}, but its currency must be one of ${payable.join(', ')}`,
    );
  if (!isChargeable(minorOf(amount, currency) ?? 0, currency))
    throw new PaymentSettingsFault('GANTRY_WEBSTORE_PRICE must be more than nothing');
  return { amount, currency };
}

function days(given: string | undefined): number {
  if (given === undefined) return defaultPayments.trialDays;
  if (!/^\d{1,3}$/.test(given))
    throw new PaymentSettingsFault('GANTRY_WEBSTORE_TRIAL_DAYS must be a whole number from 0 to 999');
  return Number(given);
}
