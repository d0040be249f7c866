// Changes the name and the terms of a reseller.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Section } from '@gantry/ui/section.tsx';
import type { Schemas } from '../../api/operations.ts';
import { useWrite } from '../../api/writing.ts';
import { Conflict } from '../../shared/conflict.tsx';
import { useDraft } from '../../shared/draft.ts';
import { Form } from '../../shared/form.tsx';
import { useFormats } from '../../shared/formats.ts';
import { currentMonth, monthPlus } from '../../shared/reseller-bill/months.ts';
import { UnsavedGuard } from '../../shared/unsaved-guard.tsx';
import { useTexts } from '../../texts/texts.ts';
import { faultOfForm, pointers, rateOf, TermsFields, type TermsValues } from './terms-fields.tsx';
import { resellerPaths } from './use-reseller.ts';

type Reseller = Schemas['Reseller'];

const valuesOf = ({ name, next_wholesale_rate, next_billing_unit }: Reseller): TermsValues => ({
  name,
  ...next_wholesale_rate,
  unit: next_billing_unit,
});

/** Only what was changed, because new terms apply from the next month even if they are the former ones. */
function changesOf(values: TermsValues, base: TermsValues): Schemas['ResellerUpdate'] {
  const isNewRate = values.amount !== base.amount || values.currency !== base.currency;
  return {
    ...(values.name !== base.name && { name: values.name.trim() }),
    ...(isNewRate && { wholesale_rate: rateOf(values) }),
    ...(values.unit !== base.unit && { billing_unit: values.unit }),
  };
}

export function TermsForm({ reseller }: { reseller: Reseller }) {
  const t = useTexts('admin-resellers');
  const common = useTexts('common');
  const formats = useFormats();
  const [isSaved, setIsSaved] = useState(false);
  // A reseller has no entity tag; its own values show whether another user has changed it.
  const current = valuesOf(reseller);
  const draft = useDraft(current, JSON.stringify(current));
  const { values, isDirty } = draft;
  const save = useWrite('PATCH /api/admin/resellers/{reseller_id}', {
    refreshes: resellerPaths,
    onDone: (stored) => {
      draft.settle(valuesOf(stored), JSON.stringify(valuesOf(stored)));
      setIsSaved(true);
    },
  });
  return (
    <Section title={t('terms')} lead={t('termsLead', { month: formats.month(monthPlus(currentMonth(), 1)) })}>
      <UnsavedGuard isUnsaved={isDirty} />
      <Form
        submit={common('actions.save')}
        isPending={save.isPending}
        isDisabled={!isDirty || values.name.trim() === '' || draft.theirs !== null}
        error={faultOfForm(save.error)}
        fields={pointers}
        others={
          <>
            {isDirty && (
              <Button variant="default" onClick={draft.reset}>
                {common('actions.discard')}
              </Button>
            )}
            {isSaved && !isDirty && <span role="status">{common('saved')}</span>}
          </>
        }
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate({
            params: { path: { reseller_id: reseller.id } },
            body: changesOf(values, draft.base.values),
          });
        }}
      >
        <Conflict
          draft={draft}
          fields={[
            { key: 'name', name: t('fields.name'), show: ({ name }) => name },
            { key: 'amount', name: t('fields.rate'), show: ({ amount }) => amount },
            { key: 'currency', name: t('fields.currency'), show: ({ currency }) => currency },
            { key: 'unit', name: t('fields.unit'), show: ({ unit }) => t(`units.${unit}`) },
          ]}
        />
        <TermsFields
          values={values}
          error={save.error}
          onChange={(change) => {
            setIsSaved(false);
            draft.set(change);
          }}
        />
      </Form>
    </Section>
  );
}
