// Writes a release note.
import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useWrite } from '../../api/writing.ts';
import { BackLink } from '../../shared/back-link.tsx';
import { Form } from '../../shared/form.tsx';
import { Page } from '../../shared/page.tsx';
import { UnsavedGuard } from '../../shared/unsaved-guard.tsx';
import { useTexts } from '../../texts/texts.ts';
import { faultOfForm, NoteFields, pointers } from './note-fields.tsx';
import { creationOf, isComplete, newNote } from './note-values.ts';

export function NewNotePage() {
  const t = useTexts('admin-release-notes');
  const common = useTexts('common');
  const navigate = useNavigate();
  const [values, setValues] = useState(newNote);
  const create = useWrite('POST /api/admin/release-notes', {
    refreshes: ['/api/admin/release-notes', '/api/release-notes'],
    onDone: ({ id }) =>
      void navigate({ to: '/platform/release-notes/$noteId', params: { noteId: id }, ignoreBlocker: true }),
  });
  return (
    <Page title={t('create')} above={<BackLink to="/platform/release-notes">{t('title')}</BackLink>}>
      <UnsavedGuard isUnsaved={values.title !== '' || values.text !== ''} />
      <Form
        submit={t(`submits.${values.publication}`)}
        isLong
        isPending={create.isPending}
        isDisabled={!isComplete(values)}
        error={faultOfForm(create.error)}
        fields={pointers}
        others={
          <Button component={Link} to="/platform/release-notes" variant="default">
            {common('actions.cancel')}
          </Button>
        }
        onSubmit={(event) => {
          event.preventDefault();
          if (isComplete(values)) create.mutate({ body: creationOf(values) });
        }}
      >
        <NoteFields
          values={values}
          error={create.error}
          onChange={(change) => setValues((former) => ({ ...former, ...change }))}
        />
      </Form>
    </Page>
  );
}
