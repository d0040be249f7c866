// The schedules of all servers of the license.
import { Button, NativeSelect } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { CalendarClock, Plus, SearchX } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { useMay } from '../api/may.ts';
import { usePages } from '../api/reading.ts';
import { ButtonLink } from '../shared/button-link.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { FilterBar } from '../shared/filter-bar.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { Page } from '../shared/page.tsx';
import { useServerNames } from '../shared/server-names.ts';
import { TableSkeleton } from '../shared/table-skeleton.tsx';
import { useTexts } from '../texts/texts.ts';
import { actionKinds, type Schedule } from './schedule.ts';
import { matching, noFilters, type ScheduleSearch } from './schedule-search.ts';
import { ScheduleTable } from './schedule-table.tsx';

const route = getRouteApi('/frame/licensed/schedules');

export function SchedulesPage() {
  const t = useTexts('schedules');
  const mayCreate = useMay('POST /api/schedules');
  const schedules = usePages('/api/schedules', {}, { all: true });
  const isEmpty = schedules.items?.length === 0;
  const add = (
    <ButtonLink to="/schedules/new" leftSection={<Plus size={16} aria-hidden="true" />}>
      {t('add')}
    </ButtonLink>
  );
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      {...(mayCreate && !schedules.isPending && !isEmpty && { action: add })}
    >
      <Loaded
        asked={{ ...schedules, data: schedules.items }}
        waitingFor={t('title')}
        skeleton={<TableSkeleton rows={4} />}
      >
        {(items) =>
          items.length === 0 ? (
            <EmptyState icon={CalendarClock} title={t('empty.title')} {...(mayCreate && { action: add })}>
              {t('empty.detail')}
            </EmptyState>
          ) : (
            <ScheduleList schedules={items} />
          )
        }
      </Loaded>
    </Page>
  );
}

function ScheduleList({ schedules }: { schedules: readonly Schedule[] }) {
  const t = useTexts('schedules');
  const common = useTexts('common');
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const { names, choices } = useServerNames();
  const shown = useMemo(() => matching(schedules, filters), [schedules, filters]);
  const set = useCallback(
    (change: Partial<ScheduleSearch>) =>
      void navigate({ search: (former) => ({ ...former, ...change }), replace: true }),
    [navigate],
  );
  const search = useCallback((next: string) => set({ search: next }), [set]);
  return (
    <>
      <FilterBar
        search={filters.search}
        onSearch={search}
        placeholder={t('search')}
        count={t('count', { count: shown.length })}
      >
        {choices.length > 1 && (
          <NativeSelect
            aria-label={t('columns.server')}
            value={filters.server}
            data={[{ value: '', label: t('anyServer') }, ...choices]}
            onChange={({ currentTarget }) => set({ server: currentTarget.value })}
          />
        )}
        <NativeSelect
          aria-label={t('columns.action')}
          value={filters.kind}
          data={[
            { value: '', label: t('anyAction') },
            ...actionKinds.map((value) => ({ value, label: t(`kinds.${value}`) })),
          ]}
          onChange={({ currentTarget }) => set({ kind: currentTarget.value as ScheduleSearch['kind'] })}
        />
        <NativeSelect
          aria-label={t('columns.enabled')}
          value={filters.enabled}
          data={[
            { value: '', label: t('anyState') },
            { value: 'yes', label: t('enabled') },
            { value: 'no', label: t('disabled') },
          ]}
          onChange={({ currentTarget }) => set({ enabled: currentTarget.value as ScheduleSearch['enabled'] })}
        />
      </FilterBar>
      {shown.length === 0 ? (
        <EmptyState
          icon={SearchX}
          title={t('noMatch.title')}
          action={
            <Button variant="default" onClick={() => set({ ...noFilters, sort: filters.sort })}>
              {common('actions.clearFilters')}
            </Button>
          }
        >
          {t('noMatch.detail')}
        </EmptyState>
      ) : (
        <ScheduleTable
          schedules={shown}
          servers={names}
          sort={filters.sort}
          onSort={(sort) => set({ sort })}
        />
      )}
    </>
  );
}
