// What became of a schedule's runs.
import { NativeSelect } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { History, SearchX } from 'lucide-react';
import { useMemo } from 'react';
import { StateText, type Tone } from '@gantry/ui/state-text.tsx';
import type { Schemas } from '../api/operations.ts';
import { usePages } from '../api/reading.ts';
import type { Column } from '../shared/data-table/columns.ts';
import { DataTable } from '../shared/data-table/data-table.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { LoadMore } from '../shared/load-more.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { TableSkeleton } from '../shared/table-skeleton.tsx';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import { runStatuses } from './schedule-search.ts';
import classes from './schedules.module.css';

type Run = Schemas['ScheduleRun'];

const route = getRouteApi('/frame/licensed/schedules/$scheduleId');

const tones: Record<Run['status'], Tone> = {
  running: 'busy',
  succeeded: 'good',
  sent: 'good',
  failed: 'bad',
  skipped: 'idle',
};

export function RunHistory({ scheduleId }: { scheduleId: string }) {
  const t = useTexts('schedules');
  const { status } = route.useSearch();
  const navigate = route.useNavigate();
  const runs = usePages('/api/schedules/{schedule_id}/runs', {
    params: { path: { schedule_id: scheduleId }, query: status === '' ? {} : { status } },
  });
  return (
    <section className="stack" aria-label={t('runs.title')}>
      <div className={classes.bar}>
        <h2 className={classes.heading}>{t('runs.title')}</h2>
        <NativeSelect
          aria-label={t('runs.filter')}
          value={status}
          data={[
            { value: '', label: t('runs.any') },
            ...runStatuses.map((value) => ({ value, label: t(`runStatus.${value}`) })),
          ]}
          onChange={({ currentTarget }) =>
            void navigate({ search: { status: currentTarget.value as Run['status'] | '' }, replace: true })
          }
        />
      </div>
      <Loaded
        asked={{ ...runs, data: runs.items }}
        waitingFor={t('runs.title')}
        skeleton={<TableSkeleton rows={3} />}
      >
        {(items) =>
          items.length > 0 ? (
            <RunTable runs={items} />
          ) : (
            <EmptyState
              icon={status === '' ? History : SearchX}
              title={status === '' ? t('runs.empty') : t('runs.noMatch')}
            >
              {t('runs.emptyDetail')}
            </EmptyState>
          )
        }
      </Loaded>
      <LoadMore pages={runs} />
    </section>
  );
}

function RunTable({ runs }: { runs: readonly Run[] }) {
  const t = useTexts('schedules');
  const columns = useMemo<readonly Column<Run>[]>(
    () => [
      {
        key: 'at',
        header: t('runs.started'),
        width: '130px',
        phone: 'title',
        cell: ({ created_at }) => <Time at={created_at} isFocusable={false} />,
      },
      {
        key: 'status',
        header: t('runs.status'),
        width: '140px',
        phone: 'aside',
        cell: ({ status }) => <StateText tone={tones[status]}>{t(`runStatus.${status}`)}</StateText>,
      },
      {
        key: 'outcome',
        header: t('runs.outcome'),
        width: 'minmax(200px, 3fr)',
        phone: 'line',
        cell: ({ error, detail }) => (
          <span className={classes.outcome}>
            {/* Details of console lines are left out for people who may not read the console. */}
            {(error?.detail === '' ? error.code : error?.detail) ?? detail ?? '–'}
          </span>
        ),
      },
      {
        key: 'by',
        header: t('runs.by'),
        width: 'minmax(120px, 1fr)',
        phone: 'line',
        cell: ({ requested_by }) => requested_by ?? t('runs.scheduled'),
      },
    ],
    [t],
  );
  return (
    <DataTable
      label={t('runs.title')}
      columns={columns}
      groups={[{ key: 'all', name: '', rows: runs }]}
      keyOf={({ id }) => id}
      nameOf={({ created_at }) => created_at}
    />
  );
}
