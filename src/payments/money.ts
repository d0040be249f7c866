// Amounts of money: integers of the smallest unit inside, decimal text outside, never binary fractions.
import type { Schemas } from '../platform-contract/types.ts';

export type Currency = Schemas['StoreCurrency'];
export type Money = Schemas['StoreMoney'];

/** Decimals of each currency, by ISO 4217. */
const decimals: Readonly<Record<Currency, number>> = {
  AED: 2,
  AUD: 2,
  BHD: 3,
  BRL: 2,
  CAD: 2,
  CHF: 2,
  CLP: 0,
  CZK: 2,
  DKK: 2,
  EUR: 2,
  GBP: 2,
  HKD: 2,
  HUF: 2,
  ILS: 2,
  INR: 2,
  ISK: 0,
  JOD: 3,
  JPY: 0,
  KRW: 0,
  KWD: 3,
  MXN: 2,
  NOK: 2,
  NZD: 2,
  OMR: 3,
  PLN: 2,
  RON: 2,
  SAR: 2,
  SEK: 2,
  SGD: 2,
  THB: 2,
  TND: 3,
  TRY: 2,
  TWD: 2,
  USD: 2,
  VND: 0,
  XOF: 0,
  ZAR: 2,
};

export const currencies = Object.keys(decimals) as Currency[];

export function decimalsOf(currency: Currency): number {
  return decimals[currency];
}

/** The amount in the smallest unit; undefined unless the text has exactly the currency's decimals. */
export function minorOf(amount: string, currency: Currency): number | undefined {
  const match = /^(\d{1,9})(?:\.(\d{1,3}))?$/.exec(amount);
  const [, whole = '', fraction = ''] = match ?? [];
  if (match === null || fraction.length !== decimalsOf(currency)) return undefined;
  return Number(whole + fraction);
}

export function amountOf(minor: number, currency: Currency): string {
  return withPlaces(minor, decimalsOf(currency));
}

export function moneyOf(minor: number, currency: Currency): Money {
  return { amount: amountOf(minor, currency), currency };
}

/** Stripe's documented minimum charges. For other currencies, Stripe refuses amounts that are too small itself. */
const minTotals: Readonly<Partial<Record<Currency, number>>> = {
  AED: 200,
  AUD: 50,
  BRL: 50,
  CAD: 50,
  CHF: 50,
  CZK: 1_500,
  DKK: 250,
  EUR: 50,
  GBP: 30,
  HKD: 400,
  HUF: 17_500,
  INR: 50,
  JPY: 50,
  MXN: 1_000,
  NOK: 300,
  NZD: 50,
  PLN: 200,
  RON: 200,
  SEK: 300,
  SGD: 50,
  THB: 1_000,
  USD: 50,
};

/** The minimum total of an order, in the smallest unit. */
export const minTotalOf = (currency: Currency): number => minTotals[currency] ?? 1;

/** Whether a card can be charged the amount: of three decimals, the last must be zero. */
export function isChargeable(minor: number, currency: Currency): boolean {
  return minor > 0 && (decimalsOf(currency) < 3 || minor % 10 === 0);
}

/** Formats a price in hundredths, as used for the platform's own products, in any currency. */
export function hundredthsInWords(hundredths: number, currency: string): Schemas['Money'] {
  return { amount: withPlaces(hundredths, 2), currency };
}

/** Parses a text with two decimals, as the contract requires. */
export function hundredthsOf(amount: string): number {
  return Number(amount.replace('.', ''));
}

/** Sums amounts with two decimals, as the database formats them; exact at any size. */
export function sumOfAmounts(amounts: readonly string[]): string {
  const hundredths = amounts.reduce((sum, amount) => sum + BigInt(amount.replace('.', '')), 0n);
  const digits = String(hundredths).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

function withPlaces(minor: number, places: number): string {
  const digits = String(minor).padStart(places + 1, '0');
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}
