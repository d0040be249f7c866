// A module as its catalog shows it: what it does and costs.
import { Badge } from '@mantine/core';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Schemas } from '../api/operations.ts';
import { useTexts } from '../texts/texts.ts';
import classes from './modules.module.css';
import { usePriceWords } from './price-words.ts';

type Shown = Pick<
  Schemas['Module'],
  | 'name'
  | 'description'
  | 'features'
  | 'is_owned'
  | 'trial_days'
  | 'price'
  | 'billing_period'
  | 'yearly_amount'
>;

interface ModuleFaceProps {
  module: Shown;
  /** Its action. */
  children?: ReactNode;
}

export function ModuleFace({ module, children }: ModuleFaceProps) {
  const t = useTexts('modules');
  const words = usePriceWords();
  const { name, description, features, is_owned, trial_days } = module;
  return (
    <>
      <div className={classes.cardHead}>
        <h2 className={classes.name}>{name}</h2>
        {is_owned && (
          <Badge variant="light" color="green">
            {t('catalog.owned')}
          </Badge>
        )}
      </div>
      <p className={classes.description}>{description}</p>
      <ul className={classes.features}>
        {features.map((feature) => (
          <li key={feature}>
            <Check size={15} aria-hidden="true" />
            <span>{feature}</span>
          </li>
        ))}
      </ul>
      <div className={classes.cardFoot}>
        <div>
          <div className={classes.price}>{words.price(module)}</div>
          <p className="hint">
            {words.alternative(module) ?? (trial_days > 0 ? t('catalog.trial', { count: trial_days }) : '')}
          </p>
        </div>
        {children}
      </div>
    </>
  );
}
