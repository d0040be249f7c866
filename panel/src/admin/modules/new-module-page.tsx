// Adds a module to the catalog.
import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useWrite } from '../../api/writing.ts';
import { BackLink } from '../../shared/back-link.tsx';
import { Form } from '../../shared/form.tsx';
import { Page } from '../../shared/page.tsx';
import { UnsavedGuard } from '../../shared/unsaved-guard.tsx';
import { useTexts } from '../../texts/texts.ts';
import { faultOfForm, ModuleFields, pointersOf } from './module-fields.tsx';
import { ModulePreview } from './module-preview.tsx';
import { creationOf, newModule } from './module-values.ts';
import classes from './admin-modules.module.css';

export function NewModulePage() {
  const t = useTexts('admin-modules');
  const common = useTexts('common');
  const navigate = useNavigate();
  const [values, setValues] = useState(newModule);
  const create = useWrite('POST /api/admin/modules', {
    refreshes: ['/api/admin/modules', '/api/modules'],
    onDone: ({ id }) =>
      void navigate({ to: '/platform/modules/$moduleId', params: { moduleId: id }, ignoreBlocker: true }),
  });
  return (
    <Page
      title={t('new.title')}
      lead={t('new.lead')}
      above={<BackLink to="/platform/modules">{t('title')}</BackLink>}
    >
      <UnsavedGuard isUnsaved={values !== newModule} />
      <div className={classes.editor}>
        <Form
          submit={t('create')}
          isLong
          isPending={create.isPending}
          isDisabled={values.name.trim() === '' || values.slug.trim() === ''}
          error={faultOfForm(create.error)}
          fields={pointersOf(values)}
          others={
            <Button component={Link} to="/platform/modules" variant="default">
              {common('actions.cancel')}
            </Button>
          }
          onSubmit={(event) => {
            event.preventDefault();
            create.mutate({ body: creationOf(values) });
          }}
        >
          <ModuleFields
            isNew
            values={values}
            error={create.error}
            onChange={(change) => setValues((former) => ({ ...former, ...change }))}
          />
        </Form>
        <ModulePreview values={values} />
      </div>
    </Page>
  );
}
