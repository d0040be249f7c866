// The module as licenses see it in their catalog.
import { ModuleFace } from '../../modules/module-face.tsx';
import { priceOf } from '../../shared/price.ts';
import { useTexts } from '../../texts/texts.ts';
import { featuresOf, trialOf, yearlyOf, type ModuleValues } from './module-values.ts';
import classes from './admin-modules.module.css';

const isAmount = (text: string): boolean => /^\d+\.\d{2}$/.test(text);

/** A currency that is still being typed has no symbol. */
const currencyOf = ({ currency }: ModuleValues): string => (/^[A-Z]{3}$/.test(currency) ? currency : 'USD');

export function ModulePreview({ values }: { values: ModuleValues }) {
  const t = useTexts('admin-modules');
  const amount = priceOf(values.amount, 2);
  const yearly = yearlyOf(values);
  return (
    <figure className={classes.preview}>
      <figcaption className="hint">{t('preview')}</figcaption>
      <div className={classes.card} aria-hidden="true">
        <ModuleFace
          module={{
            name: values.name.trim() === '' ? t('exampleName') : values.name,
            description: values.description,
            features: [...new Set(featuresOf(values))],
            is_owned: false,
            trial_days: trialOf(values),
            billing_period: values.period,
            price: { amount: isAmount(amount) ? amount : '0.00', currency: currencyOf(values) },
            yearly_amount: yearly !== null && isAmount(yearly) ? yearly : null,
          }}
        />
      </div>
    </figure>
  );
}
