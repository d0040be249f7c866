// The game servers of the license: found, grouped, and acted on together.
import { Button } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Plus, SearchX, Server as ServerIcon } from 'lucide-react';
import { useMemo } from 'react';
import { useMay } from '../api/may.ts';
import { usePages } from '../api/reading.ts';
import { ButtonLink } from '../shared/button-link.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { useFormats } from '../shared/formats.ts';
import { Loaded } from '../shared/loaded.tsx';
import { Page } from '../shared/page.tsx';
import { TableSkeleton } from '../shared/table-skeleton.tsx';
import { useTexts } from '../texts/texts.ts';
import { BulkResults } from './bulk/bulk-results.tsx';
import { useClusters } from './clusters.ts';
import { matching, noFilters, type Server } from './server-search.ts';
import { ServerFilters } from './server-filters.tsx';
import { ServerTable } from './server-table.tsx';

const route = getRouteApi('/frame/licensed/servers');

/** Heartbeats bring new figures without an event; long lists are read less often. */
const figuresMs = 10_000;
const perPage = 100;

export function ServersPage() {
  const t = useTexts('servers');
  const formats = useFormats();
  const servers = usePages(
    '/api/fleet/instances',
    {},
    { all: true, everyFor: ({ length: count }) => figuresMs * Math.ceil((count + 1) / perPage) },
  );
  const running = servers.items?.filter(({ state }) => state === 'running') ?? [];
  const players = running.reduce((sum, server) => sum + (server.players ?? 0), 0);
  const isEmpty = servers.items?.length === 0;
  const mayCreate = useMay('POST /api/fleet/hosts/{host_id}/instances');
  const { items: hosts = [] } = usePages('/api/fleet/hosts', {}, { enabled: mayCreate });
  const [host, ...others] = hosts;
  return (
    <Page
      title={t('title')}
      {...(mayCreate &&
        host !== undefined && {
          action: (
            <ButtonLink
              variant="default"
              leftSection={<Plus size={16} aria-hidden="true" />}
              {...(others.length === 0
                ? { to: '/hosts/$hostId', params: { hostId: host.id } }
                : { to: '/hosts' })}
            >
              {t('create')}
            </ButtonLink>
          ),
        })}
      {...(servers.items !== undefined &&
        !isEmpty && {
          lead: t('summary', { running: formats.number(running.length), players: formats.number(players) }),
        })}
    >
      <BulkResults />
      <Loaded
        asked={{ ...servers, data: servers.items }}
        waitingFor={t('title')}
        skeleton={<TableSkeleton />}
      >
        {(items) => (items.length === 0 ? <NoServers /> : <ServerList servers={items} />)}
      </Loaded>
    </Page>
  );
}

function ServerList({ servers }: { servers: readonly Server[] }) {
  const t = useTexts('servers');
  const common = useTexts('common');
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const clusters = useClusters();
  const shown = useMemo(() => matching(servers, filters), [servers, filters]);
  return (
    <>
      <ServerFilters servers={servers} shownCount={shown.length} clusters={clusters} />
      {shown.length === 0 ? (
        <EmptyState
          icon={SearchX}
          title={t('noMatch.title')}
          action={
            <Button
              variant="default"
              onClick={() =>
                void navigate({ search: { ...noFilters, group: filters.group, sort: filters.sort } })
              }
            >
              {common('actions.clearFilters')}
            </Button>
          }
        >
          {t('noMatch.detail')}
        </EmptyState>
      ) : (
        <ServerTable servers={shown} clusters={clusters} />
      )}
    </>
  );
}

function NoServers() {
  const t = useTexts('servers');
  const mayAdd = useMay('POST /api/fleet/enrolment-codes');
  const { items: hosts } = usePages('/api/fleet/hosts');
  if (hosts !== undefined && hosts.length > 0)
    return (
      <EmptyState
        icon={ServerIcon}
        title={t('emptyHosts.title')}
        action={
          <ButtonLink to="/hosts" variant="default">
            {t('emptyHosts.action')}
          </ButtonLink>
        }
      >
        {t('emptyHosts.detail')}
      </EmptyState>
    );
  return (
    <EmptyState
      icon={ServerIcon}
      title={t('empty.title')}
      {...(mayAdd && {
        action: (
          <ButtonLink to="/hosts/add" search={{ kind: 'trial' }}>
            {t('addHost')}
          </ButtonLink>
        ),
      })}
    >
      {t('empty.detail')}
    </EmptyState>
  );
}
