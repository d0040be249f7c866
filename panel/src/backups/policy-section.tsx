// How many backups of each kind are kept.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Section } from '@gantry/ui/section.tsx';
import { useMay } from '../api/may.ts';
import type { Schemas } from '../api/operations.ts';
import { faultAt } from '../api/problem.ts';
import { keyOf, useRead } from '../api/reading.ts';
import { useWrite } from '../api/writing.ts';
import { Conflict } from '../shared/conflict.tsx';
import { useDraft } from '../shared/draft.ts';
import { Form } from '../shared/form.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { NumberField } from '../shared/number-field.tsx';
import { sendable, type NumberValue } from '../shared/number-text.ts';
import { UnsavedGuard } from '../shared/unsaved-guard.tsx';
import { useTexts } from '../texts/texts.ts';
import classes from './backups.module.css';
import { refreshes, useInstanceId } from './backups.ts';

export function PolicySection() {
  const t = useTexts('backups');
  const instanceId = useInstanceId();
  const mayChange = useMay('PATCH /api/instances/{instance_id}/backup-policy');
  const asked = useRead('/api/instances/{instance_id}/backup-policy', {
    params: { path: { instance_id: instanceId } },
  });
  return (
    <Section title={t('policy.title')} lead={t('policy.lead')}>
      <Loaded asked={asked} waitingFor={t('policy.title')}>
        {(policy) =>
          mayChange ? (
            <PolicyForm policy={policy} />
          ) : (
            <p className="sentence">{t('policy.kept', { count: policy.keep })}</p>
          )
        }
      </Loaded>
    </Section>
  );
}

function PolicyForm({ policy }: { policy: Schemas['BackupPolicy'] }) {
  const t = useTexts('backups');
  const common = useTexts('common');
  const queries = useQueryClient();
  const instanceId = useInstanceId();
  const params = { path: { instance_id: instanceId } };
  const [isSaved, setIsSaved] = useState(false);
  // The policy has no entity tag; its number shows whether another user has changed it.
  const draft = useDraft<{ keep: NumberValue }>({ keep: policy.keep }, String(policy.keep));
  const update = useWrite('PATCH /api/instances/{instance_id}/backup-policy', {
    refreshes,
    onDone: (stored) => {
      queries.setQueryData(keyOf('/api/instances/{instance_id}/backup-policy', { params }), stored);
      draft.settle({ keep: stored.keep }, String(stored.keep));
      setIsSaved(true);
    },
  });
  const wanted = sendable(draft.values.keep);
  return (
    <>
      <UnsavedGuard isUnsaved={draft.isDirty} />
      <Form
        submit={common('actions.save')}
        isPending={update.isPending}
        isDisabled={!draft.isDirty}
        error={update.error}
        fields={['/keep']}
        others={isSaved && !draft.isDirty && <span role="status">{common('saved')}</span>}
        onSubmit={(event) => {
          event.preventDefault();
          update.mutate({ params, body: { keep: wanted } });
        }}
      >
        <Conflict
          draft={draft}
          fields={[{ key: 'keep', name: t('policy.keep'), show: ({ keep }) => keep }]}
        />
        <NumberField
          className={classes.keepField ?? ''}
          label={t('policy.keep')}
          isWhole
          min={1}
          value={draft.values.keep}
          error={faultAt(update.error, '/keep')}
          onChange={(keep) => {
            setIsSaved(false);
            draft.set({ keep });
          }}
        />
        {draft.isDirty && wanted > 0 && wanted < policy.keep && (
          <p className="hint">{t('policy.fewer', { count: wanted })}</p>
        )}
      </Form>
    </>
  );
}
