// The fields of a module, in the order in which its seller thinks of them.
import { NativeSelect, Switch, Textarea, TextInput } from '@mantine/core';
import { Section } from '@gantry/ui/section.tsx';
import { faultAt, hasCode, problemOf } from '../../api/problem.ts';
import { NumberField } from '../../shared/number-field.tsx';
import { useTexts } from '../../texts/texts.ts';
import { DownloadFields } from './download-fields.tsx';
import { featuresOf, type ModuleFieldsProps, type ModuleValues } from './module-values.ts';

const hintBelow = ['label', 'input', 'description', 'error'] as (
  'label' | 'input' | 'description' | 'error'
)[];

/** Fields that show their own faults. */
export const pointersOf = (values: ModuleValues): string[] => [
  '/slug',
  '/name',
  '/description',
  '/price/amount',
  '/price/currency',
  '/billing_period',
  '/yearly_amount',
  '/trial_days',
  '/features',
  ...featuresOf(values).map((_, index) => `/features/${index}`),
  '/plugin',
  '/download/url',
  '/download/sha256',
  '/download/bytes',
];

/** The fault of the whole form; a taken identifier is shown at its field. */
export const faultOfForm = (error: Error | null): Error | null =>
  hasCode(error, 'name_taken') ? null : error;

export function ModuleFields(props: ModuleFieldsProps) {
  return (
    <>
      <About {...props} />
      <Price {...props} />
      <DownloadFields {...props} />
    </>
  );
}

function About({ values, onChange, error, isNew }: ModuleFieldsProps) {
  const t = useTexts('admin-modules');
  const features = featuresOf(values);
  const faults = (problemOf(error)?.errors ?? []).filter(({ pointer }) => pointer.startsWith('/features'));
  return (
    <Section title={t('about')}>
      <div className="stack">
        <TextInput
          label={t('fields.name')}
          maxLength={100}
          value={values.name}
          error={faultAt(error, '/name')}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
        {isNew && (
          <TextInput
            label={t('fields.slug')}
            description={t('fields.slugHint')}
            inputWrapperOrder={hintBelow}
            maxLength={50}
            spellCheck={false}
            autoComplete="off"
            value={values.slug}
            error={faultAt(error, '/slug', 'name_taken')}
            onChange={(event) => onChange({ slug: event.currentTarget.value })}
          />
        )}
        <Textarea
          label={t('fields.description')}
          autosize
          minRows={2}
          maxRows={10}
          maxLength={2000}
          value={values.description}
          error={faultAt(error, '/description')}
          onChange={(event) => onChange({ description: event.currentTarget.value })}
        />
        <Textarea
          label={t('fields.features')}
          description={t('fields.featuresHint')}
          inputWrapperOrder={hintBelow}
          autosize
          minRows={3}
          maxRows={14}
          value={values.features}
          error={
            faults.length > 0 &&
            faults
              .map(({ pointer, detail }) =>
                `${features[Number(pointer.split('/')[2])] ?? ''} ${detail}`.trim(),
              )
              .join(' ')
          }
          onChange={(event) => onChange({ features: event.currentTarget.value })}
        />
        <Switch
          label={t('fields.listed')}
          description={t('fields.listedHint')}
          checked={values.isListed}
          onChange={(event) => onChange({ isListed: event.currentTarget.checked })}
        />
      </div>
    </Section>
  );
}

function Price({ values, onChange, error, isNew }: ModuleFieldsProps) {
  const t = useTexts('admin-modules');
  return (
    <Section title={t('price')} {...(!isNew && { lead: t('priceLead') })}>
      <div className="fields">
        <NativeSelect
          label={t('fields.period')}
          value={values.period}
          data={(['once', 'month', 'year'] as const).map((value) => ({
            value,
            label: t(`periods.${value}`),
          }))}
          error={faultAt(error, '/billing_period')}
          onChange={(event) => onChange({ period: event.currentTarget.value as ModuleValues['period'] })}
        />
        <TextInput
          label={t('fields.amount')}
          inputMode="decimal"
          maxLength={12}
          autoComplete="off"
          value={values.amount}
          error={faultAt(error, '/price/amount')}
          onChange={(event) => onChange({ amount: event.currentTarget.value })}
        />
        <TextInput
          label={t('fields.currency')}
          maxLength={3}
          autoComplete="off"
          value={values.currency}
          error={faultAt(error, '/price/currency')}
          onChange={(event) => onChange({ currency: event.currentTarget.value.toUpperCase() })}
        />
        {values.period === 'month' && (
          <TextInput
            label={t('fields.yearly')}
            description={t('fields.yearlyHint')}
            inputWrapperOrder={hintBelow}
            inputMode="decimal"
            maxLength={12}
            autoComplete="off"
            value={values.yearly}
            error={faultAt(error, '/yearly_amount')}
            onChange={(event) => onChange({ yearly: event.currentTarget.value })}
          />
        )}
        {values.period !== 'once' && (
          <NumberField
            label={t('fields.trial')}
            description={t('fields.trialHint')}
            inputWrapperOrder={hintBelow}
            min={0}
            max={90}
            isWhole
            value={values.trialDays}
            error={faultAt(error, '/trial_days')}
            onChange={(trialDays) => onChange({ trialDays })}
          />
        )}
      </div>
    </Section>
  );
}
