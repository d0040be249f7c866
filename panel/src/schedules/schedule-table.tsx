// Schedules with their next run; enabled and disabled in place.
import { Switch } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { StateText } from '@gantry/ui/state-text.tsx';
import { useMay } from '../api/may.ts';
import { useMe } from '../api/me.ts';
import { useWrite } from '../api/writing.ts';
import { sorted, type Column } from '../shared/data-table/columns.ts';
import { DataTable } from '../shared/data-table/data-table.tsx';
import { tagOf } from '../shared/draft.ts';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import { useActionWords } from './action-words.ts';
import { useCronWords } from './cron-words.ts';
import { iconOf, mayRun, type Schedule } from './schedule.ts';
import classes from './schedules.module.css';

interface ScheduleTableProps {
  schedules: readonly Schedule[];
  /** Names of servers by their ID; without it, the column is left out. */
  servers?: ReadonlyMap<string, string>;
  sort: string;
  onSort: (sort: string) => void;
}

export function ScheduleTable({ schedules, servers, sort, onSort }: ScheduleTableProps) {
  const t = useTexts('schedules');
  const cronWords = useCronWords();
  const actionWords = useActionWords();
  const { permissions } = useMe();
  const mayManage = useMay('PATCH /api/schedules/{schedule_id}/toggle');
  const toggle = useWrite('PATCH /api/schedules/{schedule_id}/toggle', { refreshes: ['/api/schedules'] });
  const { mutate, isPending, variables } = toggle;
  const pending = isPending ? variables.params.path.schedule_id : null;
  const columns = useMemo<readonly Column<Schedule>[]>(
    () => [
      {
        key: 'name',
        header: t('columns.name'),
        width: 'minmax(150px, 1.3fr)',
        phone: 'title',
        sortBy: ({ name }) => name,
        cell: ({ id, name, action }) => {
          const Icon = iconOf(action.kind);
          return (
            <span className={classes.named}>
              <Icon size={15} aria-hidden="true" className={classes.kindIcon} />
              <Link to="/schedules/$scheduleId" params={{ scheduleId: id }} className="cut">
                {name}
              </Link>
            </span>
          );
        },
      },
      ...(servers === undefined
        ? []
        : [
            {
              key: 'server',
              header: t('columns.server'),
              width: 'minmax(90px, 0.7fr)',
              phone: 'line',
              sortBy: ({ instance_id }) => servers.get(instance_id) ?? '',
              cell: ({ instance_id }) => servers.get(instance_id) ?? '–',
            } satisfies Column<Schedule>,
          ]),
      {
        key: 'action',
        header: t('columns.action'),
        width: 'minmax(130px, 1.2fr)',
        phone: 'none',
        wraps: true,
        sortBy: ({ action }) => action.kind,
        cell: ({ action }) => actionWords(action),
      },
      {
        key: 'when',
        header: t('columns.when'),
        width: 'minmax(150px, 1.3fr)',
        phone: 'none',
        wraps: true,
        cell: ({ cron, time_zone }) => (
          <span title={`${cron} (${time_zone})`}>
            {cronWords(cron)} <span className="dim">{time_zone}</span>
          </span>
        ),
      },
      {
        key: 'next',
        header: t('columns.next'),
        width: '120px',
        phone: 'line',
        sortBy: ({ next_runs }) => next_runs[0] ?? null,
        cell: ({ next_runs: [next] }) => (next === undefined ? '–' : <Time at={next} isFocusable={false} />),
      },
      {
        key: 'enabled',
        header: t('columns.enabled'),
        width: '88px',
        phone: 'aside',
        cell: (schedule) =>
          mayManage && (schedule.is_enabled || mayRun(permissions, schedule.action.kind)) ? (
            <Switch
              className={classes.above ?? ''}
              aria-label={t('enable', { name: schedule.name })}
              checked={schedule.is_enabled}
              disabled={pending === schedule.id}
              onChange={() =>
                mutate({
                  params: {
                    path: { schedule_id: schedule.id },
                    header: { 'If-Match': tagOf(schedule.version) },
                  },
                })
              }
            />
          ) : (
            <StateText tone={schedule.is_enabled ? 'good' : 'idle'}>
              {schedule.is_enabled ? t('enabled') : t('disabled')}
            </StateText>
          ),
      },
    ],
    [t, cronWords, actionWords, servers, permissions, mayManage, mutate, pending],
  );
  return (
    <>
      <ProblemAlert error={toggle.error} />
      <DataTable
        label={t('title')}
        columns={columns}
        groups={[{ key: 'all', name: '', rows: sorted(schedules, columns, sort) }]}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        sort={sort}
        onSort={onSort}
      />
    </>
  );
}
