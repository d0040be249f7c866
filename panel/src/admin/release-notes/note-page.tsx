// Edits, publishes and deletes a release note.
import { Alert, Button, Skeleton } from '@mantine/core';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { serverNow } from '@gantry/ui/server-clock.ts';
import type { Schemas } from '../../api/operations.ts';
import { useDocument } from '../../api/reading.ts';
import { useWrite } from '../../api/writing.ts';
import { BackLink } from '../../shared/back-link.tsx';
import { Conflict } from '../../shared/conflict.tsx';
import { tagOf, useDraft } from '../../shared/draft.ts';
import { Form } from '../../shared/form.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { Page } from '../../shared/page.tsx';
import { ProblemAlert } from '../../shared/problem-alert.tsx';
import { UnsavedGuard } from '../../shared/unsaved-guard.tsx';
import { useTexts } from '../../texts/texts.ts';
import { everyMs } from '../every-ms.ts';
import { useReadWhenStale } from '../use-read-when-stale.ts';
import { faultOfForm, NoteFields, pointers } from './note-fields.tsx';
import { NoteState } from './note-state.tsx';
import { changesOf, isComplete, valuesOf } from './note-values.ts';

type Note = Schemas['ReleaseNote'];

const route = getRouteApi('/frame/platform/release-notes/$noteId');

const notePaths = [
  '/api/admin/release-notes',
  '/api/admin/release-notes/{release_note_id}',
  '/api/release-notes',
] as const;

export function NotePage() {
  const t = useTexts('admin-release-notes');
  const { noteId } = route.useParams();
  const asked = useDocument(
    '/api/admin/release-notes/{release_note_id}',
    { params: { path: { release_note_id: noteId } } },
    { every: everyMs },
  );
  return (
    <Loaded isPage asked={asked} waitingFor={t('note')} skeleton={<Skeleton height={400} />}>
      {({ document, version }) => <Editor note={document} version={version} onStale={asked.refetch} />}
    </Loaded>
  );
}

function Editor({ note, version, onStale }: { note: Note; version: string; onStale: () => unknown }) {
  const t = useTexts('admin-release-notes');
  const common = useTexts('common');
  const [isDeleting, setIsDeleting] = useState(false);
  const [isSaved, setIsSaved] = useState(false);
  const draft = useDraft(valuesOf(note), version);
  const { values, isDirty } = draft;
  const save = useWrite('PATCH /api/admin/release-notes/{release_note_id}', {
    refreshes: notePaths,
    onDone: (stored) => {
      draft.settle(valuesOf(stored), tagOf(stored.version));
      setIsSaved(true);
    },
  });
  useReadWhenStale(save.error, onStale);
  const isPublic = note.published_at !== null && Date.parse(note.published_at) <= serverNow();
  return (
    <Page
      title={note.title}
      status={<NoteState publishedAt={note.published_at} />}
      above={<BackLink to="/platform/release-notes">{t('title')}</BackLink>}
      action={
        <Button variant="default" onClick={() => setIsDeleting(true)}>
          {t('delete.action')}
        </Button>
      }
    >
      <UnsavedGuard isUnsaved={isDirty} />
      {isPublic && isDirty && <Alert color="yellow">{t('public')}</Alert>}
      <Form
        submit={isDirty && values.publication === 'now' ? t('submits.now') : common('actions.save')}
        isLong
        isPending={save.isPending}
        isDisabled={!isDirty || !isComplete(values) || draft.theirs !== null}
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
          if (!isComplete(values)) return;
          save.mutate({
            params: { path: { release_note_id: note.id }, header: { 'If-Match': draft.version } },
            body: changesOf(values, draft.base.values),
          });
        }}
      >
        <Conflict
          draft={draft}
          fields={[
            { key: 'title', name: t('fields.title'), show: ({ title }) => title },
            { key: 'text', name: t('fields.text'), show: ({ text }) => text },
            {
              key: 'publication',
              name: t('fields.publication'),
              show: ({ publication }) => t(`publications.${publication}`),
            },
            { key: 'at', name: t('fields.at'), show: ({ at }) => at.replace('T', ' ') },
          ]}
        />
        <NoteFields
          values={values}
          error={save.error}
          onChange={(change) => {
            setIsSaved(false);
            draft.set(change);
          }}
        />
      </Form>
      <DeleteDialog note={note} version={version} isOpen={isDeleting} onClose={() => setIsDeleting(false)} />
    </Page>
  );
}

interface DeleteDialogProps {
  note: Note;
  version: string;
  isOpen: boolean;
  onClose: () => void;
}

function DeleteDialog({ note, version, isOpen, onClose }: DeleteDialogProps) {
  const t = useTexts('admin-release-notes');
  const navigate = useNavigate();
  const remove = useWrite('DELETE /api/admin/release-notes/{release_note_id}', {
    refreshes: ['/api/admin/release-notes', '/api/release-notes'],
    onDone: () => void navigate({ to: '/platform/release-notes', ignoreBlocker: true }),
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={t('delete.title', { title: note.title })}
      action={t('delete.action')}
      isDangerous
      typed={note.title}
      isPending={remove.isPending}
      problem={<ProblemAlert error={remove.error} />}
      onConfirm={() =>
        remove.mutate({ params: { path: { release_note_id: note.id }, header: { 'If-Match': version } } })
      }
      onClose={onClose}
    >
      {t('delete.detail')}
    </ConfirmDialog>
  );
}
