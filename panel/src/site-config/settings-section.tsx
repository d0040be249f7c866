// Whether the license is public, its description, and what holds for servers without a setting of their own.
import { Button, Switch, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Section } from '@gantry/ui/section.tsx';
import { useMay } from '../api/may.ts';
import type { Schemas } from '../api/operations.ts';
import { faultAt } from '../api/problem.ts';
import { keyOf } from '../api/reading.ts';
import { useWrite } from '../api/writing.ts';
import { Conflict } from '../shared/conflict.tsx';
import { tagOf, type Draft } from '../shared/draft.ts';
import { Form } from '../shared/form.tsx';
import { UnsavedGuard } from '../shared/unsaved-guard.tsx';
import { useTexts } from '../texts/texts.ts';

export interface SettingsValues {
  is_public: boolean;
  is_listed_by_default: boolean;
  status_page_description: string;
}

export const valuesOf = (settings: Schemas['SiteSettings']): SettingsValues => ({
  is_public: settings.is_public,
  is_listed_by_default: settings.is_listed_by_default,
  status_page_description: settings.status_page_description ?? '',
});

interface SettingsSectionProps {
  settings: Schemas['SiteSettings'];
  draft: Draft<SettingsValues>;
}

export function SettingsSection({ settings, draft }: SettingsSectionProps) {
  const t = useTexts('site-config');
  const common = useTexts('common');
  const queries = useQueryClient();
  const mayChange = useMay('PATCH /api/site-config');
  const [isSaved, setIsSaved] = useState(false);
  const { values, isDirty } = draft;
  const save = useWrite('PATCH /api/site-config', {
    refreshes: ['/api/site-config/instances', '/api/public/status'],
    onDone: (stored) => {
      const version = tagOf(stored.version);
      queries.setQueryData([...keyOf('/api/site-config', undefined), 'document'], {
        document: stored,
        version,
      });
      draft.settle(valuesOf(stored), version);
      setIsSaved(true);
    },
  });
  const set = (change: Partial<SettingsValues>) => {
    setIsSaved(false);
    draft.set(change);
  };
  const controls = (
    <>
      <Switch
        label={t('settings.public')}
        description={t('settings.publicHint')}
        disabled={!mayChange}
        checked={values.is_public}
        onChange={(event) => set({ is_public: event.currentTarget.checked })}
      />
      <Switch
        label={t('settings.byDefault')}
        description={t('settings.byDefaultHint')}
        disabled={!mayChange}
        checked={values.is_listed_by_default}
        onChange={(event) => set({ is_listed_by_default: event.currentTarget.checked })}
      />
      <Textarea
        label={t('settings.description')}
        description={t('settings.descriptionHint')}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={1000}
        disabled={!mayChange}
        value={values.status_page_description}
        error={faultAt(save.error, '/status_page_description')}
        onChange={(event) => set({ status_page_description: event.currentTarget.value })}
      />
    </>
  );
  if (!mayChange)
    return (
      <Section title={t('settings.title')}>
        <div className="stack">{controls}</div>
      </Section>
    );
  return (
    <Section title={t('settings.title')}>
      <UnsavedGuard isUnsaved={isDirty} />
      <Form
        submit={common('actions.save')}
        isPending={save.isPending}
        isDisabled={!isDirty}
        error={save.error}
        fields={['/status_page_description']}
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
          const text = values.status_page_description.trim();
          save.mutate({
            params: { header: { 'If-Match': draft.version } },
            body: {
              ...(values.is_public !== settings.is_public && { is_public: values.is_public }),
              ...(values.is_listed_by_default !== settings.is_listed_by_default && {
                is_listed_by_default: values.is_listed_by_default,
              }),
              status_page_description: text === '' ? null : text,
            },
          });
        }}
      >
        <Conflict
          draft={draft}
          fields={[
            {
              key: 'is_public',
              name: t('settings.public'),
              show: ({ is_public }) => (is_public ? t('yes') : t('no')),
            },
            {
              key: 'is_listed_by_default',
              name: t('settings.byDefault'),
              show: ({ is_listed_by_default }) => (is_listed_by_default ? t('yes') : t('no')),
            },
            {
              key: 'status_page_description',
              name: t('settings.description'),
              show: ({ status_page_description }) => status_page_description,
            },
          ]}
        />
        {controls}
      </Form>
    </Section>
  );
}
