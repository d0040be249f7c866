// The event log of the license, with new events at the top as they happen.
import { Button } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ScrollText, SearchX } from 'lucide-react';
import { useMemo } from 'react';
import { StateText } from '@gantry/ui/state-text.tsx';
import type { Column } from '../shared/data-table/columns.ts';
import { DataTable } from '../shared/data-table/data-table.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { LoadMore } from '../shared/load-more.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { Page } from '../shared/page.tsx';
import { TableSkeleton } from '../shared/table-skeleton.tsx';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import { EventFilters } from './event-filters.tsx';
import { isNarrowed, noFilters } from './event-search.ts';
import { useEventWords, type LoggedEvent } from './event-words.ts';
import classes from './events.module.css';
import { useEventLog } from './use-event-log.ts';

const route = getRouteApi('/frame/licensed/events');

const keyOf = ({ id }: LoggedEvent) => id;

export function EventsPage() {
  const t = useTexts('events');
  const words = useEventWords();
  const filters = route.useSearch();
  const log = useEventLog(filters);
  const columns = useEventColumns();
  return (
    <Page title={t('title')} lead={t('lead')} status={<StateText tone="good">{t('live')}</StateText>}>
      <EventFilters />
      <Loaded asked={{ ...log, data: log.items }} waitingFor={t('title')} skeleton={<TableSkeleton />}>
        {(items) =>
          items.length === 0 ? (
            <NoEvents />
          ) : (
            <DataTable
              label={t('title')}
              columns={columns}
              groups={[{ key: 'all', name: '', rows: items }]}
              keyOf={keyOf}
              nameOf={words.sentence}
            />
          )
        }
      </Loaded>
      <LoadMore pages={log} />
    </Page>
  );
}

function NoEvents() {
  const t = useTexts('events');
  const common = useTexts('common');
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  if (!isNarrowed(filters))
    return (
      <EmptyState icon={ScrollText} title={t('empty.title')}>
        {t('empty.detail')}
      </EmptyState>
    );
  return (
    <EmptyState
      icon={SearchX}
      title={t('noMatch.title')}
      action={
        <Button variant="default" onClick={() => void navigate({ search: noFilters })}>
          {common('actions.clearFilters')}
        </Button>
      }
    >
      {t('noMatch.detail')}
    </EmptyState>
  );
}

function useEventColumns(): readonly Column<LoggedEvent>[] {
  const t = useTexts('events');
  const words = useEventWords();
  return useMemo(
    () => [
      {
        key: 'event',
        header: t('columns.event'),
        width: 'minmax(260px, 3fr)',
        phone: 'title',
        cell: (event) => (
          <Link to="/events/$eventId" params={{ eventId: event.id }} className={classes.sentence}>
            {words.sentence(event)}
          </Link>
        ),
      },
      {
        key: 'type',
        header: t('columns.type'),
        width: 'minmax(150px, 1fr)',
        phone: 'line',
        cell: ({ type }) => <code className="mono dim">{type}</code>,
      },
      {
        key: 'actor',
        header: t('columns.actor'),
        width: 'minmax(130px, 1fr)',
        phone: 'line',
        cell: ({ actor }) => actorOf(actor) ?? t('gantry'),
      },
      {
        key: 'time',
        header: t('columns.time'),
        width: '120px',
        phone: 'aside',
        cell: ({ occurred_at }) => (
          <span className="dim">
            <Time at={occurred_at} isFocusable={false} />
          </span>
        ),
      },
    ],
    [t, words],
  );
}

/** Jobs are the platform itself. */
export const actorOf = (actor: LoggedEvent['actor']): string | null =>
  actor === null || actor.kind === 'job' ? null : actor.label;
