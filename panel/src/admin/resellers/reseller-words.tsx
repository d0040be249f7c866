// A reseller's status and terms in words.
import { StateText } from '@gantry/ui/state-text.tsx';
import type { Schemas } from '../../api/operations.ts';
import { useFormats } from '../../shared/formats.ts';
import { currentMonth, monthPlus } from '../../shared/reseller-bill/months.ts';
import { useTexts } from '../../texts/texts.ts';
import classes from './resellers.module.css';

type Reseller = Schemas['Reseller'];

export function ResellerStatus({ status }: Pick<Reseller, 'status'>) {
  const t = useTexts('admin-resellers');
  return <StateText tone={status === 'active' ? 'good' : 'idle'}>{t(`status.${status}`)}</StateText>;
}

const isSame = ({ wholesale_rate: rate, next_wholesale_rate: next, ...units }: Reseller): boolean =>
  rate.amount === next.amount &&
  rate.currency === next.currency &&
  units.billing_unit === units.next_billing_unit;

/** What the reseller pays, and what changes with the next month. */
export function Terms({ reseller }: { reseller: Reseller }) {
  const t = useTexts('admin-resellers');
  const formats = useFormats();
  return (
    <span className={classes.terms}>
      {t(`rate.${reseller.billing_unit}`, { price: formats.money(reseller.wholesale_rate) })}
      {!isSame(reseller) && (
        <span className="dim">
          {t('fromMonth', {
            month: formats.month(monthPlus(currentMonth(), 1)),
            terms: t(`rate.${reseller.next_billing_unit}`, {
              price: formats.money(reseller.next_wholesale_rate),
            }),
          })}
        </span>
      )}
    </span>
  );
}
