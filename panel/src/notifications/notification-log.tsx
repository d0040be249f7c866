// What was sent to a channel, and the outcome.
import { NativeSelect } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { MailQuestion } from 'lucide-react';
import { useMemo } from 'react';
import { serverNow } from '@gantry/ui/server-clock.ts';
import { StateText, type Tone } from '@gantry/ui/state-text.tsx';
import { useMay } from '../api/may.ts';
import type { Schemas } from '../api/operations.ts';
import { isOutcomeNear } from '../api/pending.ts';
import { usePages } from '../api/reading.ts';
import type { Column } from '../shared/data-table/columns.ts';
import { DataTable } from '../shared/data-table/data-table.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { FilterBar } from '../shared/filter-bar.tsx';
import { useFormats } from '../shared/formats.ts';
import { LoadMore } from '../shared/load-more.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { TableSkeleton } from '../shared/table-skeleton.tsx';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import classes from './notifications.module.css';

type Notification = Schemas['Notification'];

const route = getRouteApi('/frame/licensed/alerts/channels/$channelId');

/** Events do not report the outcome, and people wait for that of a test. */
const pendingMs = 1_000;
const defaultMs = 10_000;

const everyFor = (notifications: readonly Notification[]): number =>
  notifications.some((each) => isOutcomeNear(each, serverNow())) ? pendingMs : defaultMs;

const tones: Readonly<Record<Notification['status'], Tone>> = {
  pending: 'busy',
  succeeded: 'good',
  failed: 'bad',
  cancelled: 'idle',
};

const statuses = Object.keys(tones) as Notification['status'][];
const keyOf = ({ id }: Notification) => id;

export function NotificationLog({ channelId }: { channelId: string }) {
  const t = useTexts('notifications');
  const { status } = route.useSearch();
  const navigate = route.useNavigate();
  const log = usePages(
    '/api/notifications/channels/{notification_channel_id}/notifications',
    {
      params: {
        path: { notification_channel_id: channelId },
        query: status === '' ? {} : { status },
      },
    },
    { everyFor, keepsFormer: true },
  );
  const columns = useLogColumns();
  return (
    <div className={classes.log}>
      <FilterBar>
        <NativeSelect
          aria-label={t('log.status')}
          value={status}
          data={[
            { value: '', label: t('log.any') },
            ...statuses.map((value) => ({ value, label: t(`log.statuses.${value}`) })),
          ]}
          onChange={(event) =>
            void navigate({ search: { status: event.currentTarget.value as typeof status }, replace: true })
          }
        />
      </FilterBar>
      <Loaded
        asked={{ ...log, data: log.items }}
        waitingFor={t('log.title')}
        skeleton={<TableSkeleton rows={3} />}
      >
        {(items) =>
          items.length === 0 ? (
            <EmptyState icon={MailQuestion} title={t('log.empty.title')}>
              {status === '' ? t('log.empty.detail') : t('log.noMatch')}
            </EmptyState>
          ) : (
            <DataTable
              label={t('log.title')}
              columns={columns}
              groups={[{ key: 'all', name: '', rows: items }]}
              keyOf={keyOf}
              nameOf={({ event }) => t(`log.events.${event}`)}
            />
          )
        }
      </Loaded>
      <LoadMore pages={log} />
    </div>
  );
}

function useLogColumns(): readonly Column<Notification>[] {
  const t = useTexts('notifications');
  const formats = useFormats();
  const maySeeAlerts = useMay('GET /api/alerts/{alert_id}');
  return useMemo(
    () => [
      {
        key: 'event',
        header: t('log.columns.event'),
        width: '110px',
        phone: 'title',
        cell: ({ event, alert_id }) =>
          alert_id === null || !maySeeAlerts ? (
            <strong>{t(`log.events.${event}`)}</strong>
          ) : (
            <Link to="/alerts/$alertId" params={{ alertId: alert_id }}>
              {t(`log.events.${event}`)}
            </Link>
          ),
      },
      {
        key: 'status',
        header: t('log.columns.status'),
        width: '130px',
        phone: 'aside',
        cell: ({ status }) => <StateText tone={tones[status]}>{t(`log.statuses.${status}`)}</StateText>,
      },
      {
        key: 'detail',
        header: t('log.columns.detail'),
        width: 'minmax(120px, 2fr)',
        phone: 'line',
        cell: ({ detail }) => <span title={detail ?? ''}>{detail ?? '–'}</span>,
      },
      {
        key: 'attempts',
        header: t('log.columns.attempts'),
        width: '80px',
        align: 'end',
        phone: 'none',
        isWide: true,
        cell: ({ attempt_count }) => formats.number(attempt_count),
      },
      {
        key: 'created',
        header: t('log.columns.created'),
        width: '110px',
        phone: 'line',
        cell: ({ created_at }) => <Time at={created_at} isFocusable={false} />,
      },
    ],
    [t, formats, maySeeAlerts],
  );
}
