// What a reseller is called, and what it pays.
import { NativeSelect, TextInput } from '@mantine/core';
import type { Schemas } from '../../api/operations.ts';
import { faultAt, hasCode } from '../../api/problem.ts';
import { priceOf } from '../../shared/price.ts';
import { useTexts } from '../../texts/texts.ts';

export interface TermsValues {
  name: string;
  amount: string;
  currency: string;
  unit: Schemas['BillingUnit'];
}

/** Fields that show their own faults. */
export const pointers = [
  '/name',
  '/wholesale_rate/amount',
  '/wholesale_rate/currency',
  '/billing_unit',
] as const;

export const rateOf = ({ amount, currency }: TermsValues): Schemas['WholesaleRate'] => ({
  amount: priceOf(amount, 2),
  currency: currency.trim().toUpperCase(),
});

/** The fault of the whole form; a taken name is shown at its field. */
export const faultOfForm = (error: Error | null): Error | null =>
  hasCode(error, 'name_taken') ? null : error;

interface TermsFieldsProps {
  values: TermsValues;
  onChange: (change: Partial<TermsValues>) => void;
  error: Error | null;
}

export function TermsFields({ values, onChange, error }: TermsFieldsProps) {
  const t = useTexts('admin-resellers');
  return (
    <>
      <TextInput
        label={t('fields.name')}
        maxLength={100}
        autoComplete="off"
        value={values.name}
        error={faultAt(error, '/name', 'name_taken')}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <div className="fields">
        <TextInput
          label={t('fields.rate')}
          inputMode="decimal"
          maxLength={12}
          autoComplete="off"
          value={values.amount}
          error={faultAt(error, '/wholesale_rate/amount')}
          onChange={(event) => onChange({ amount: event.currentTarget.value })}
        />
        <TextInput
          label={t('fields.currency')}
          description={t('fields.currencyHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          maxLength={3}
          autoComplete="off"
          value={values.currency}
          error={faultAt(error, '/wholesale_rate/currency')}
          onChange={(event) => onChange({ currency: event.currentTarget.value.toUpperCase() })}
        />
        <NativeSelect
          label={t('fields.unit')}
          description={t(`units.${values.unit}Hint`)}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={values.unit}
          data={(['instance', 'license'] as const).map((value) => ({ value, label: t(`units.${value}`) }))}
          error={faultAt(error, '/billing_unit')}
          onChange={(event) => onChange({ unit: event.currentTarget.value as TermsValues['unit'] })}
        />
      </div>
    </>
  );
}
