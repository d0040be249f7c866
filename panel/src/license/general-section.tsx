// The name of the license, and the subdomain in its public addresses.
import { Alert, Button, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Facts } from '@gantry/ui/facts.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { useMay } from '../api/may.ts';
import type { Schemas } from '../api/operations.ts';
import { faultAt, hasCode, problemOf } from '../api/problem.ts';
import { keyOf } from '../api/reading.ts';
import { useWrite } from '../api/writing.ts';
import { Conflict } from '../shared/conflict.tsx';
import { useDraft } from '../shared/draft.ts';
import { Form } from '../shared/form.tsx';
import { useFormats } from '../shared/formats.ts';
import { UnsavedGuard } from '../shared/unsaved-guard.tsx';
import { useTexts } from '../texts/texts.ts';

type License = Schemas['OwnLicense'];

export function GeneralSection({ license }: { license: License }) {
  const t = useTexts('license');
  const formats = useFormats();
  const mayChange = useMay('PATCH /api/license');
  const facts = [
    [t('general.id'), <code key="id">{license.id}</code>],
    [t('general.created'), formats.dateTime(license.created_at)],
  ] as const;
  const read = [
    [t('general.name'), license.name],
    [t('general.subdomain'), license.subdomain],
  ] as const;
  return (
    <Section title={t('general.title')}>
      {mayChange && license.status === 'active' ? (
        <div className="stack">
          <GeneralForm license={license} />
          <Facts facts={facts} />
        </div>
      ) : (
        <Facts facts={[...read, ...facts]} />
      )}
    </Section>
  );
}

const valuesOf = ({ name, subdomain }: License) => ({ name, subdomain });

function GeneralForm({ license }: { license: License }) {
  const t = useTexts('license');
  const common = useTexts('common');
  const queries = useQueryClient();
  const [isSaved, setIsSaved] = useState(false);
  // The license has no entity tag; its own values show whether another user has changed it.
  const current = valuesOf(license);
  const draft = useDraft(current, JSON.stringify(current));
  const { values, isDirty } = draft;
  const save = useWrite('PATCH /api/license', {
    refreshes: ['/auth/me', '/api/webstore/config', '/api/webstore/providers'],
    onDone: (stored) => {
      queries.setQueryData(keyOf('/api/license', undefined), stored);
      draft.settle(valuesOf(stored), JSON.stringify(valuesOf(stored)));
      setIsSaved(true);
    },
  });
  const set = (change: Partial<typeof values>) => {
    setIsSaved(false);
    draft.set(change);
  };
  const isTaken = hasCode(save.error, 'subdomain_taken');
  const movesAddress = values.subdomain !== license.subdomain;
  return (
    <>
      <UnsavedGuard isUnsaved={isDirty} />
      <Form
        submit={common('actions.save')}
        isPending={save.isPending}
        isDisabled={!isDirty}
        error={isTaken ? null : save.error}
        fields={['/name', '/subdomain']}
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
          const change = {
            ...(values.name !== license.name && { name: values.name.trim() }),
            ...(movesAddress && { subdomain: values.subdomain.trim() }),
          };
          if (isDirty) save.mutate({ body: change });
        }}
      >
        <Conflict
          draft={draft}
          fields={[
            { key: 'name', name: t('general.name'), show: ({ name }) => name },
            { key: 'subdomain', name: t('general.subdomain'), show: ({ subdomain }) => subdomain },
          ]}
        />
        <TextInput
          label={t('general.name')}
          maxLength={100}
          value={values.name}
          error={faultAt(save.error, '/name')}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <TextInput
          label={t('general.subdomain')}
          description={license.is_sandbox ? t('general.subdomainOfSandbox') : t('general.subdomainHint')}
          disabled={license.is_sandbox}
          maxLength={63}
          autoCapitalize="none"
          spellCheck={false}
          value={values.subdomain}
          error={isTaken ? problemOf(save.error)?.detail : faultAt(save.error, '/subdomain')}
          onChange={(event) => set({ subdomain: event.currentTarget.value.toLowerCase() })}
        />
        {movesAddress && (
          <Alert color="yellow">
            {t('general.moves', { from: license.subdomain, to: values.subdomain })}
          </Alert>
        )}
      </Form>
    </>
  );
}
