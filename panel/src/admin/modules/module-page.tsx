// One module of the catalog: what it does, costs and installs.
import { Button, Skeleton } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { Facts } from '@gantry/ui/facts.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { StateText } from '@gantry/ui/state-text.tsx';
import type { Schemas } from '../../api/operations.ts';
import { useDocument } from '../../api/reading.ts';
import { useWrite } from '../../api/writing.ts';
import { BackLink } from '../../shared/back-link.tsx';
import { Conflict } from '../../shared/conflict.tsx';
import { useDraft } from '../../shared/draft.ts';
import { Form } from '../../shared/form.tsx';
import { useFormats } from '../../shared/formats.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { Page } from '../../shared/page.tsx';
import { Time } from '../../shared/time.tsx';
import { UnsavedGuard } from '../../shared/unsaved-guard.tsx';
import { useTexts } from '../../texts/texts.ts';
import { useReadWhenStale } from '../use-read-when-stale.ts';
import { useConflictFields } from './conflict-fields.ts';
import { faultOfForm, ModuleFields, pointersOf } from './module-fields.tsx';
import { ModulePreview } from './module-preview.tsx';
import { changesOf, tidied, valuesOf } from './module-values.ts';
import classes from './admin-modules.module.css';
import { everyMs } from '../every-ms.ts';

const route = getRouteApi('/frame/platform/modules/$moduleId');

export function ModulePage() {
  const t = useTexts('admin-modules');
  const { moduleId } = route.useParams();
  const asked = useDocument(
    '/api/admin/modules/{module_id}',
    { params: { path: { module_id: moduleId } } },
    { every: everyMs },
  );
  return (
    <Loaded isPage asked={asked} waitingFor={t('columns.name')} skeleton={<Skeleton height={400} />}>
      {({ document, version }) => <Editor module={document} version={version} onStale={asked.refetch} />}
    </Loaded>
  );
}

interface EditorProps {
  module: Schemas['CatalogModule'];
  version: string;
  onStale: () => unknown;
}

function Editor({ module, version, onStale }: EditorProps) {
  const t = useTexts('admin-modules');
  const common = useTexts('common');
  const [isSaved, setIsSaved] = useState(false);
  const draft = useDraft(valuesOf(module), version);
  const conflictFields = useConflictFields();
  const { values, isDirty } = draft;
  const save = useWrite('PATCH /api/admin/modules/{module_id}', {
    refreshes: ['/api/admin/modules', '/api/admin/modules/{module_id}', '/api/modules'],
    onDone: () => setIsSaved(true),
  });
  useReadWhenStale(save.error, onStale);
  return (
    <Page
      title={module.name}
      status={
        <StateText tone={module.is_listed ? 'good' : 'idle'}>
          {module.is_listed ? t('listed') : t('hidden')}
        </StateText>
      }
      above={<BackLink to="/platform/modules">{t('title')}</BackLink>}
    >
      <UnsavedGuard isUnsaved={isDirty} />
      <About module={module} />
      <div className={classes.editor}>
        <Form
          submit={common('actions.save')}
          isLong
          isPending={save.isPending}
          isDisabled={!isDirty || values.name.trim() === '' || draft.theirs !== null}
          error={faultOfForm(save.error)}
          fields={pointersOf(values)}
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
            const params = { path: { module_id: module.id }, header: { 'If-Match': draft.version } };
            const next = tidied(values);
            draft.set(next);
            save.mutate({ params, body: changesOf(next, draft.base.values) });
          }}
        >
          <Conflict draft={draft} fields={conflictFields} />
          <ModuleFields
            isNew={false}
            values={values}
            error={save.error}
            onChange={(change) => {
              setIsSaved(false);
              draft.set(change);
            }}
          />
        </Form>
        <ModulePreview values={values} />
      </div>
    </Page>
  );
}

function About({ module }: { module: Schemas['CatalogModule'] }) {
  const t = useTexts('admin-modules');
  const formats = useFormats();
  return (
    <Section title={t('overview')}>
      <Facts
        facts={[
          [t('owners'), formats.number(module.purchase_count)],
          [
            t('fields.slug'),
            <span key="slug" className="mono">
              {module.slug}
            </span>,
          ],
          [
            t('columns.plugin'),
            <span key="plugin" className="mono">
              {module.plugin}
            </span>,
          ],
          [t('columns.created'), <Time key="created" at={module.created_at} />],
        ]}
      />
    </Section>
  );
}
