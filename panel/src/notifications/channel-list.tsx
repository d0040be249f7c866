// The notification channels of the license.
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { BellPlus, Plus } from 'lucide-react';
import { useMemo } from 'react';
import { useMay } from '../api/may.ts';
import { usePages } from '../api/reading.ts';
import type { Column } from '../shared/data-table/columns.ts';
import { DataTable } from '../shared/data-table/data-table.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { TableSkeleton } from '../shared/table-skeleton.tsx';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import { ChannelState } from './channel-state.tsx';
import type { Channel } from './channel.ts';
import classes from './notifications.module.css';

/** Events do not report messages that arrived. */
const everyMs = 15_000;

const keyOf = ({ id }: Channel) => id;
const nameOf = ({ name }: Channel) => name;

export function ChannelList() {
  const t = useTexts('notifications');
  const mayCreate = useMay('POST /api/notifications/channels');
  const channels = usePages('/api/notifications/channels', {}, { all: true, every: everyMs });
  const columns = useChannelColumns();
  const add = (
    <Button component={Link} to="/alerts/channels/new" leftSection={<Plus size={16} aria-hidden="true" />}>
      {t('add')}
    </Button>
  );
  const isEmpty = channels.items?.length === 0;
  return (
    <>
      {!isEmpty && (
        <div className={classes.head}>
          <p className="hint">{t('lead')}</p>
          {mayCreate && !channels.isPending && add}
        </div>
      )}
      <Loaded
        asked={{ ...channels, data: channels.items }}
        waitingFor={t('title')}
        skeleton={<TableSkeleton rows={3} />}
      >
        {(items) =>
          items.length === 0 ? (
            <EmptyState icon={BellPlus} title={t('empty.title')} {...(mayCreate && { action: add })}>
              {t('empty.detail')}
            </EmptyState>
          ) : (
            <DataTable
              label={t('title')}
              columns={columns}
              groups={[{ key: 'all', name: '', rows: items }]}
              keyOf={keyOf}
              nameOf={nameOf}
            />
          )
        }
      </Loaded>
    </>
  );
}

function useChannelColumns(): readonly Column<Channel>[] {
  const t = useTexts('notifications');
  return useMemo(
    () => [
      {
        key: 'name',
        header: t('columns.name'),
        width: 'minmax(160px, 2fr)',
        phone: 'title',
        cell: ({ id, name }) => (
          <Link to="/alerts/channels/$channelId" params={{ channelId: id }}>
            {name}
          </Link>
        ),
      },
      {
        key: 'state',
        header: t('columns.state'),
        width: '150px',
        phone: 'aside',
        cell: (channel) => <ChannelState channel={channel} />,
      },
      {
        key: 'kind',
        header: t('columns.kind'),
        width: '100px',
        phone: 'line',
        cell: ({ kind }) => t(`kinds.${kind}`),
      },
      {
        key: 'destination',
        header: t('columns.destination'),
        width: 'minmax(140px, 2fr)',
        phone: 'line',
        cell: ({ destination }) => destination ?? '–',
      },
      {
        key: 'severity',
        header: t('columns.severity'),
        width: 'minmax(150px, 1fr)',
        phone: 'none',
        isWide: true,
        cell: ({ least_severity }) => t(`least.${least_severity}`),
      },
      {
        key: 'lastSuccess',
        header: t('columns.lastSuccess'),
        width: '140px',
        phone: 'line',
        cell: ({ last_success_at }) =>
          last_success_at === null ? t('never') : <Time at={last_success_at} isFocusable={false} />,
      },
    ],
    [t],
  );
}
