// The webhooks of the license.
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Plus, Webhook as WebhookIcon } from 'lucide-react';
import { useMemo } from 'react';
import { useMay } from '../api/may.ts';
import { usePages } from '../api/reading.ts';
import type { Column } from '../shared/data-table/columns.ts';
import { DataTable } from '../shared/data-table/data-table.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { Page } from '../shared/page.tsx';
import { TableSkeleton } from '../shared/table-skeleton.tsx';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import { WebhookState } from './webhook-state.tsx';
import type { Webhook } from './webhook.ts';

/** Events do not report deliveries. */
const everyMs = 15_000;

const keyOf = ({ id }: Webhook) => id;
const nameOf = ({ name }: Webhook) => name;

export function WebhookList() {
  const t = useTexts('webhooks');
  const mayCreate = useMay('POST /api/webhooks');
  const webhooks = usePages('/api/webhooks', {}, { all: true, every: everyMs });
  const columns = useWebhookColumns();
  const add = (
    <Button component={Link} to="/webhooks/new" leftSection={<Plus size={16} aria-hidden="true" />}>
      {t('add')}
    </Button>
  );
  const isEmpty = webhooks.items?.length === 0;
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      {...(mayCreate && !webhooks.isPending && !isEmpty && { action: add })}
    >
      <Loaded
        asked={{ ...webhooks, data: webhooks.items }}
        waitingFor={t('title')}
        skeleton={<TableSkeleton rows={3} />}
      >
        {(items) =>
          items.length === 0 ? (
            <EmptyState icon={WebhookIcon} title={t('empty.title')} {...(mayCreate && { action: add })}>
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
    </Page>
  );
}

function useWebhookColumns(): readonly Column<Webhook>[] {
  const t = useTexts('webhooks');
  return useMemo(
    () => [
      {
        key: 'name',
        header: t('columns.name'),
        width: 'minmax(140px, 1.5fr)',
        phone: 'title',
        cell: ({ id, name }) => (
          <Link to="/webhooks/$webhookId" params={{ webhookId: id }}>
            {name}
          </Link>
        ),
      },
      {
        key: 'state',
        header: t('columns.state'),
        width: '190px',
        phone: 'aside',
        cell: (webhook) => <WebhookState webhook={webhook} />,
      },
      {
        key: 'url',
        header: t('columns.url'),
        width: 'minmax(140px, 2fr)',
        phone: 'line',
        cell: ({ url }) => <span title={url}>{url.replace(/^https?:\/\//i, '')}</span>,
      },
      {
        key: 'events',
        header: t('columns.events'),
        width: 'minmax(120px, 1.5fr)',
        phone: 'line',
        cell: ({ events }) => <code className="mono">{events.join(', ')}</code>,
      },
      {
        key: 'lastDelivery',
        header: t('columns.lastDelivery'),
        width: '130px',
        phone: 'line',
        cell: ({ last_delivery_at }) =>
          last_delivery_at === null ? t('never') : <Time at={last_delivery_at} isFocusable={false} />,
      },
    ],
    [t],
  );
}
