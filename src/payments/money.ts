// Amounts of money: whole numbers of the smallest unit of their currency inside, decimal text outside, never a fraction of binary.
import type { Schemas } from '../contract-types.ts';

export type Currency = Schemas['StoreCurrency'];
export type Money = Schemas['StoreMoney'];

/** Decimals of the currencies that have not two, by ISO 4217. */
const decimals: Readonly<Partial<Record<Currency, number>>> = {
  BHD: 3,
  CLP: 0,
  ISK: 0,
  JOD: 3,
  JPY: 0,
  KRW: 0,
  KWD: 3,
  OMR: 3,
  TND: 3,
  VND: 0,
  XOF: 0,
};

export function decimalsOf(currency: Currency): number {
  return decimals[currency] ?? 2;
}

/** The amount in the smallest unit; undefined unless the text has just the decimals that the currency has. */
export function minorOf(amount: string, currency: Currency): number | undefined {
  const match = /^(\d{1,9})(?:\.(\d{1,3}))?$/.exec(amount);
  const [, whole = '', fraction = ''] = match ?? [];
  if (match === null || fraction.length !== decimalsOf(currency)) return undefined;
  return Number(whole + fraction);
}

export function amountOf(minor: number, currency: Currency): string {
  const places = decimalsOf(currency);
  const digits = String(minor).padStart(places + 1, '0');
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

export function moneyOf(minor: number, currency: Currency): Money {
  return { amount: amountOf(minor, currency), currency };
}

/** Whether a card can be charged it: of three decimals the last is nothing. */
export function isChargeable(minor: number, currency: Currency): boolean {
  return minor > 0 && (decimalsOf(currency) < 3 || minor % 10 === 0);
}
