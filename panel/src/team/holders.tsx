// Everyone in the license, with whether they have a permission and why.
import { useMemo } from 'react';
import { StateText } from '@gantry/ui/state-text.tsx';
import type { Permission } from '../permissions/permission-map.ts';
import type { Column } from '../shared/data-table/columns.ts';
import { DataTable } from '../shared/data-table/data-table.tsx';
import { useTexts } from '../texts/texts.ts';
import { sourceOf, type Person } from './person.ts';
import classes from './team.module.css';
import { Reason, RolesWith } from './verdict.tsx';

export function Holders({ people, permission }: { people: readonly Person[]; permission: Permission }) {
  const t = useTexts('team');
  const columns = useMemo((): readonly Column<Person>[] => {
    const isHolder = (person: Person) => sourceOf(person, permission).kind !== 'none' && !person.isDisabled;
    return [
      {
        key: 'member',
        header: t('access.columns.member'),
        width: 'minmax(160px, 2fr)',
        phone: 'title',
        cell: ({ email }) => <span title={email}>{email}</span>,
      },
      {
        key: 'verdict',
        header: t('access.columns.verdict'),
        width: '100px',
        phone: 'aside',
        cell: (person) => (
          <StateText tone={isHolder(person) ? 'good' : 'idle'}>
            {isHolder(person) ? t('access.yes') : t('access.no')}
          </StateText>
        ),
      },
      {
        key: 'why',
        header: t('access.columns.why'),
        width: 'minmax(240px, 4fr)',
        phone: 'line',
        cell: (person) => (
          <span className={classes.wrapping}>
            <Reason person={person} permission={permission} />
          </span>
        ),
      },
    ];
  }, [t, permission]);
  const rows = people.toSorted((one, other) => rank(one, permission) - rank(other, permission));
  return (
    <div className={classes.table}>
      <RolesWith permission={permission} />
      <div className={classes.table}>
        <DataTable
          label={t('access.title')}
          columns={columns}
          groups={[{ key: 'all', name: '', rows }]}
          keyOf={({ userId }) => userId}
          nameOf={({ email }) => email}
        />
      </div>
    </div>
  );
}

/** Those who have the permission stand first. */
const rank = (person: Person, permission: Permission): number =>
  sourceOf(person, permission).kind === 'none' || person.isDisabled ? 1 : 0;
