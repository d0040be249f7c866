// Creates a reseller, and shows its key once.
import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Section } from '@gantry/ui/section.tsx';
import type { Schemas } from '../../api/operations.ts';
import { useWrite } from '../../api/writing.ts';
import { BackLink } from '../../shared/back-link.tsx';
import { Form } from '../../shared/form.tsx';
import { Page } from '../../shared/page.tsx';
import { UnsavedGuard } from '../../shared/unsaved-guard.tsx';
import { useTexts } from '../../texts/texts.ts';
import { KeyOnce } from './key-once.tsx';
import { faultOfForm, pointers, rateOf, TermsFields, type TermsValues } from './terms-fields.tsx';

/** What the platform takes unless something else is agreed. */
const usual: TermsValues = { name: '', amount: '6.00', currency: 'USD', unit: 'instance' };

export function NewResellerPage() {
  const t = useTexts('admin-resellers');
  const common = useTexts('common');
  const navigate = useNavigate();
  const [values, setValues] = useState(usual);
  const [created, setCreated] = useState<Schemas['CreatedReseller'] | null>(null);
  const create = useWrite('POST /api/admin/resellers', {
    refreshes: ['/api/admin/resellers'],
    onDone: setCreated,
  });
  return (
    <Page
      title={t('new.title')}
      {...(created === null && { lead: t('new.lead') })}
      width="narrow"
      above={<BackLink to="/platform/resellers">{t('title')}</BackLink>}
    >
      {created === null ? (
        <Section title={t('terms')}>
          <UnsavedGuard isUnsaved={values !== usual} />
          <Form
            submit={t('create')}
            isPending={create.isPending}
            isDisabled={values.name.trim() === ''}
            error={faultOfForm(create.error)}
            fields={pointers}
            others={
              <Button component={Link} to="/platform/resellers" variant="default">
                {common('actions.cancel')}
              </Button>
            }
            onSubmit={(event) => {
              event.preventDefault();
              create.mutate({
                body: {
                  name: values.name.trim(),
                  wholesale_rate: rateOf(values),
                  billing_unit: values.unit,
                },
              });
            }}
          >
            <TermsFields
              values={values}
              error={create.error}
              onChange={(change) => setValues((former) => ({ ...former, ...change }))}
            />
          </Form>
        </Section>
      ) : (
        <KeyOnce
          reseller={created}
          onDone={() =>
            void navigate({
              to: '/platform/resellers/$resellerId',
              params: { resellerId: created.id },
              ignoreBlocker: true,
            })
          }
        />
      )}
    </Page>
  );
}
