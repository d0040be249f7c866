// Creates a role with its name and its permissions.
import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Section } from '@gantry/ui/section.tsx';
import { useWrite } from '../api/writing.ts';
import { BackLink } from '../shared/back-link.tsx';
import { Form } from '../shared/form.tsx';
import { Page } from '../shared/page.tsx';
import { UnsavedGuard } from '../shared/unsaved-guard.tsx';
import { useTexts } from '../texts/texts.ts';
import { isAboutName, RoleFields, roleFields, type RoleValues } from './role-fields.tsx';

export function NewRolePage() {
  const t = useTexts('roles');
  const common = useTexts('common');
  const navigate = useNavigate();
  const [values, setValues] = useState<RoleValues>({ name: '', permissions: {} });
  const isUnsaved = values.name !== '' || Object.keys(values.permissions).length > 0;
  const create = useWrite('POST /api/roles', {
    refreshes: ['/api/roles'],
    onDone: ({ id }) =>
      void navigate({ to: '/team/roles/$roleId', params: { roleId: id }, ignoreBlocker: true }),
  });
  return (
    <Page
      title={t('new.title')}
      lead={t('new.lead')}
      above={<BackLink to="/team/roles">{t('back')}</BackLink>}
    >
      <UnsavedGuard isUnsaved={isUnsaved} />
      <Section title={t('permissions')}>
        <Form
          submit={t('create')}
          isLong
          isPending={create.isPending}
          isDisabled={values.name.trim() === ''}
          error={isAboutName(create.error) ? null : create.error}
          fields={roleFields}
          others={
            <Button component={Link} to="/team/roles" variant="default">
              {common('actions.cancel')}
            </Button>
          }
          onSubmit={(event) => {
            event.preventDefault();
            create.mutate({ body: { name: values.name.trim(), permissions: values.permissions } });
          }}
        >
          <RoleFields
            values={values}
            set={(change) => setValues((former) => ({ ...former, ...change }))}
            error={create.error}
          />
        </Form>
      </Section>
    </Page>
  );
}
