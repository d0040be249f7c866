// Amounts in several currencies, in words.
import type { Schemas } from '../api/operations.ts';
import type { Formats } from '../shared/formats.ts';

export const moneyWords = (amounts: readonly Schemas['Money'][], formats: Formats): string =>
  amounts.length === 0 ? '–' : amounts.map((amount) => formats.money(amount)).join(' + ');
