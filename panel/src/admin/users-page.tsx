// All users: found by address, disabled, and made super admins.
import { Badge, Button, NativeSelect } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Users } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { StateText } from '@gantry/ui/state-text.tsx';
import type { Schemas } from '../api/operations.ts';
import { usePages } from '../api/reading.ts';
import { useWrite } from '../api/writing.ts';
import type { Column } from '../shared/data-table/columns.ts';
import { FilterBar } from '../shared/filter-bar.tsx';
import { useFormats } from '../shared/formats.ts';
import { Page } from '../shared/page.tsx';
import { PagedTable } from '../shared/paged-table.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import classes from './admin.module.css';
import { everyMs } from './every-ms.ts';

type User = Schemas['User'];
type Change = 'disable' | 'enable' | 'promote' | 'demote';

const route = getRouteApi('/frame/platform/users');

const bodies: Record<Change, Pick<Schemas['UserUpdate'], 'is_disabled' | 'is_super_admin'>> = {
  disable: { is_disabled: true },
  enable: { is_disabled: false },
  promote: { is_super_admin: true },
  demote: { is_super_admin: false },
};

export function UsersPage() {
  const t = useTexts('admin');
  const { q, show } = route.useSearch();
  const navigate = route.useNavigate();
  const [asking, setAsking] = useState<{ user: User; change: Change } | null>(null);
  const wanted = q.trim();
  const query = {
    ...(wanted !== '' && { q: wanted }),
    ...(show === 'admins' && { is_super_admin: true }),
    ...(show === 'disabled' && { is_disabled: true }),
  };
  const users = usePages('/api/admin/users', { params: { query } }, { every: everyMs, keepsFormer: true });
  const search = useCallback(
    (next: string) => void navigate({ search: (former) => ({ ...former, q: next }), replace: true }),
    [navigate],
  );
  const ask = useCallback((user: User, change: Change) => setAsking({ user, change }), []);
  const columns = useUserColumns(ask);
  return (
    <Page title={t('users.title')} lead={t('users.lead')}>
      <FilterBar search={q} onSearch={search} placeholder={t('users.search')}>
        <NativeSelect
          aria-label={t('users.show')}
          value={show}
          data={[
            { value: '', label: t('users.all') },
            { value: 'admins', label: t('users.admins') },
            { value: 'disabled', label: t('users.disabledOnes') },
          ]}
          onChange={({ currentTarget: { value } }) =>
            void navigate({
              search: (former) => ({ ...former, show: value as '' | 'admins' | 'disabled' }),
              replace: true,
            })
          }
        />
      </FilterBar>
      <PagedTable
        label={t('users.title')}
        pages={users}
        columns={columns}
        keyOf={({ id }) => id}
        nameOf={({ email }) => email}
        isFiltered={wanted !== '' || show !== ''}
        empty={{ icon: Users, title: t('users.empty'), detail: t('users.emptyDetail') }}
      />
      {asking !== null && <ChangeDialog {...asking} onClose={() => setAsking(null)} />}
    </Page>
  );
}

function useUserColumns(onAsk: (user: User, change: Change) => void): readonly Column<User>[] {
  const t = useTexts('admin');
  const formats = useFormats();
  return useMemo(
    () => [
      {
        key: 'email',
        header: t('users.email'),
        width: 'minmax(180px, 2fr)',
        phone: 'title',
        wraps: true,
        cell: ({ email, is_super_admin }) => (
          <>
            <b>{email}</b> {is_super_admin && <Badge variant="light">{t('users.admin')}</Badge>}
          </>
        ),
      },
      {
        key: 'status',
        header: t('licenses.status'),
        width: '120px',
        phone: 'aside',
        cell: ({ is_disabled }) => (
          <StateText tone={is_disabled ? 'bad' : 'good'}>
            {is_disabled ? t('users.disabled') : t('users.enabled')}
          </StateText>
        ),
      },
      {
        key: 'licenses',
        header: t('users.licenses'),
        width: '80px',
        align: 'end',
        phone: 'line',
        cell: ({ license_count }) => formats.number(license_count),
      },
      {
        key: 'created',
        header: t('created'),
        width: '110px',
        phone: 'line',
        cell: ({ created_at }) => <Time at={created_at} isFocusable={false} />,
      },
      {
        key: 'action',
        header: t('actions'),
        width: '270px',
        phone: 'line',
        cell: (user) => <UserActions user={user} onAsk={onAsk} />,
      },
    ],
    [t, formats, onAsk],
  );
}

function UserActions({ user, onAsk }: { user: User; onAsk: (user: User, change: Change) => void }) {
  const t = useTexts('admin');
  const changes = [
    user.is_disabled ? 'enable' : 'disable',
    user.is_super_admin ? 'demote' : 'promote',
  ] as const;
  return (
    <span className={classes.buttons}>
      {changes.map((change) => (
        <Button
          key={change}
          size="compact-sm"
          variant="default"
          aria-label={`${t(`users.changes.${change}`)}: ${user.email}`}
          onClick={() => onAsk(user, change)}
        >
          {t(`users.changes.${change}`)}
        </Button>
      ))}
    </span>
  );
}

interface ChangeDialogProps {
  user: User;
  change: Change;
  onClose: () => void;
}

function ChangeDialog({ user, change, onClose }: ChangeDialogProps) {
  const t = useTexts('admin');
  const save = useWrite('PATCH /api/admin/users', {
    refreshes: ['/api/admin/users', '/api/admin/stats'],
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      isOpen
      title={t(`users.titles.${change}`, { email: user.email })}
      action={t(`users.changes.${change}`)}
      isDangerous={change === 'disable' || change === 'promote'}
      isPending={save.isPending}
      problem={<ProblemAlert error={save.error} />}
      onConfirm={() => save.mutate({ body: { user_id: user.id, ...bodies[change] } })}
      onClose={onClose}
    >
      {t(`users.details.${change}`)}
    </ConfirmDialog>
  );
}
