// Plans a wipe: its choices, then exactly what would be done, then its start.
import { Button } from '@mantine/core';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Section } from '@gantry/ui/section.tsx';
import type { Schemas } from '../api/operations.ts';
import { useWrite } from '../api/writing.ts';
import { useInstance } from '../instance/use-instance.ts';
import { BackLink } from '../shared/back-link.tsx';
import { useDraft } from '../shared/draft.ts';
import { Form } from '../shared/form.tsx';
import { UnsavedGuard } from '../shared/unsaved-guard.tsx';
import { WipeFields, wipeFieldsIn } from '../shared/wipe-fields.tsx';
import { firstPlan, lacksMap, wipeRequestOf } from '../shared/wipe-plan.ts';
import { useTexts } from '../texts/texts.ts';
import { PlanReview } from './plan-review.tsx';

const route = getRouteApi('/frame/licensed/servers/$instanceId/wipes/new');

export function PlanPage() {
  const t = useTexts('wipes');
  const { instanceId } = route.useParams();
  const navigate = useNavigate();
  const { data: instance } = useInstance();
  const [first] = useState(firstPlan);
  const draft = useDraft(first, 'new');
  const [checked, setChecked] = useState<Schemas['WipePlan'] | null>(null);
  const path = { instance_id: instanceId };
  const check = useWrite('POST /api/instances/{instance_id}/wipes', {
    onDone: ({ plan }) => setChecked(plan),
  });
  const start = useWrite('POST /api/instances/{instance_id}/wipes', {
    refreshes: ['/api/wipes', '/api/commands'],
    onDone: ({ wipe }) => {
      if (wipe !== null)
        void navigate({
          to: '/servers/$instanceId/wipes/$wipeId',
          params: { instanceId, wipeId: wipe.id },
          ignoreBlocker: true,
        });
    },
  });
  // The second step begins at its top.
  useEffect(() => {
    window.scrollTo(0, 0);
  }, [checked]);
  if (instance === undefined) return null;
  return (
    <div className="stack">
      <UnsavedGuard isUnsaved={draft.isDirty || checked !== null} />
      <BackLink to="/servers/$instanceId/wipes" params={{ instanceId }}>
        {t('back')}
      </BackLink>
      {checked === null ? (
        <Section title={t('planPage.title')} lead={t('planPage.lead')}>
          <Form
            submit={t('planPage.check')}
            isPending={check.isPending}
            isDisabled={lacksMap(draft.values)}
            error={check.error}
            fields={wipeFieldsIn()}
            others={<span className="hint">{t('planPage.checkHint')}</span>}
            onSubmit={(event) => {
              event.preventDefault();
              check.mutate({ params: { path }, body: { ...wipeRequestOf(draft.values), dry_run: true } });
            }}
          >
            <WipeFields plan={draft.values} set={draft.set} error={check.error} />
          </Form>
        </Section>
      ) : (
        <PlanReview
          instance={instance}
          choices={draft.values}
          plan={checked}
          isPending={start.isPending}
          error={start.error}
          onStart={() => start.mutate({ params: { path }, body: wipeRequestOf(draft.values) })}
          onClosed={() => start.reset()}
          back={
            <Button variant="default" onClick={() => setChecked(null)}>
              {t('review.back')}
            </Button>
          }
        />
      )}
    </div>
  );
}
