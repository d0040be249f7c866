// Money as whole hundredths of its currency, and as the decimal text that the API has.
import type { Schemas } from '../contract-types.ts';

export function moneyOf(hundredths: number, currency: string): Schemas['Money'] {
  const digits = String(hundredths).padStart(3, '0');
  return { amount: `${digits.slice(0, -2)}.${digits.slice(-2)}`, currency };
}

/** The text has two places, as the contract demands. */
export function hundredthsOf(amount: string): number {
  return Number(amount.replace('.', ''));
}
