// Prices of modules in words.
import type { Schemas } from '../api/operations.ts';
import { useFormats } from '../shared/formats.ts';
import { useTexts } from '../texts/texts.ts';

/** What prices are made of. */
type Module = Pick<Schemas['Module'], 'price' | 'billing_period' | 'yearly_amount'>;
type Period = Module['billing_period'];

export function usePriceWords() {
  const t = useTexts('modules');
  const formats = useFormats();
  const per = (price: Module['price'], period: Period): string =>
    t(`price.${period}`, { price: formats.money(price) });
  return {
    per,
    price: ({ price, billing_period }: Module): string => per(price, billing_period),
    /** The price for a year beside the monthly one. */
    alternative: ({ price, yearly_amount }: Module): string | null =>
      yearly_amount === null
        ? null
        : t('price.or', { price: per({ ...price, amount: yearly_amount }, 'year') }),
  };
}
