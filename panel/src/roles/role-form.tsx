// Changes the name and the permissions of a role.
import { Alert, Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Section } from '@gantry/ui/section.tsx';
import { useMe } from '../api/me.ts';
import type { Schemas } from '../api/operations.ts';
import { keyOf } from '../api/reading.ts';
import { useWrite } from '../api/writing.ts';
import { grantedEntries, missingIn } from '../permissions/permission-map.ts';
import { Conflict } from '../shared/conflict.tsx';
import { tagOf, useDraft } from '../shared/draft.ts';
import { Form } from '../shared/form.tsx';
import { UnsavedGuard } from '../shared/unsaved-guard.tsx';
import { useTexts } from '../texts/texts.ts';
import { isAboutName, RoleFields, roleFields, type RoleValues } from './role-fields.tsx';

type Role = Schemas['Role'];

/** Entries in one order, so that the same permissions compare as equal. */
const valuesOf = ({ name, permissions }: Pick<Role, 'name' | 'permissions'>): RoleValues => ({
  name,
  permissions: Object.fromEntries(grantedEntries(permissions).map((entry) => [entry, true])),
});

const listed = ({ permissions }: RoleValues): string => grantedEntries(permissions).join(', ');

export function RoleForm({ role }: { role: Role }) {
  const t = useTexts('roles');
  const common = useTexts('common');
  const me = useMe();
  const queries = useQueryClient();
  const [isSaved, setIsSaved] = useState(false);
  const draft = useDraft(valuesOf(role), tagOf(role.version));
  const { values, isDirty } = draft;
  const init = { params: { path: { role_id: role.id } } };
  const save = useWrite('PATCH /api/roles/{role_id}', {
    refreshes: ['/api/roles', '/api/team/members', '/auth/me'],
    onDone: (stored) => {
      queries.setQueryData(keyOf('/api/roles/{role_id}', init), stored);
      draft.settle(valuesOf(stored), tagOf(stored.version));
      setIsSaved(true);
    },
  });
  const set = (change: Partial<RoleValues>) => {
    setIsSaved(false);
    draft.set(change);
  };
  const adds = missingIn(role.permissions, values.permissions);
  const removes = missingIn(values.permissions, role.permissions);
  return (
    <Section
      title={t('permissions')}
      {...(role.member_count > 0 && { lead: t('affected', { count: role.member_count }) })}
    >
      <UnsavedGuard isUnsaved={isDirty} />
      <Form
        submit={common('actions.save')}
        isLong
        isPending={save.isPending}
        isDisabled={!isDirty || values.name.trim() === ''}
        error={isAboutName(save.error) ? null : save.error}
        fields={roleFields}
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
          if (!isDirty) return;
          save.mutate({
            params: { ...init.params, header: { 'If-Match': draft.version } },
            body: { name: values.name.trim(), permissions: values.permissions },
          });
        }}
      >
        <Conflict
          draft={draft}
          fields={[
            { key: 'name', name: t('name'), show: ({ name }) => name },
            { key: 'permissions', name: t('permissions'), show: listed },
          ]}
        />
        {me.role === role.name && <Alert color="yellow">{t('ownRole')}</Alert>}
        <RoleFields values={values} set={set} error={save.error} />
        {(adds.length > 0 || removes.length > 0) && (
          <Alert color="gray" title={t('changes.title')}>
            {adds.length > 0 && (
              <p className="sentence">
                {t('changes.adds')}: {adds.join(', ')}
              </p>
            )}
            {removes.length > 0 && (
              <p className="sentence">
                {t('changes.removes')}: {removes.join(', ')}
              </p>
            )}
          </Alert>
        )}
      </Form>
    </Section>
  );
}
