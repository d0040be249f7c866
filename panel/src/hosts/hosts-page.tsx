// The machines of the license, with their load.
import { getRouteApi, Link } from '@tanstack/react-router';
import { HardDrive, Plus, SearchX } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { StateText } from '@gantry/ui/state-text.tsx';
import { useMay } from '../api/may.ts';
import type { Schemas } from '../api/operations.ts';
import { usePages } from '../api/reading.ts';
import { ButtonLink } from '../shared/button-link.tsx';
import { sorted, type Column } from '../shared/data-table/columns.ts';
import { DataTable } from '../shared/data-table/data-table.tsx';
import { useSelection } from '../shared/data-table/selection.ts';
import { EmptyState } from '../shared/empty-state.tsx';
import { FilterBar } from '../shared/filter-bar.tsx';
import { useFormats } from '../shared/formats.ts';
import { Loaded } from '../shared/loaded.tsx';
import { Meter } from '../shared/meter.tsx';
import { Page } from '../shared/page.tsx';
import { TableSkeleton } from '../shared/table-skeleton.tsx';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import { AgentVersion } from './agent-version.tsx';
import { OutdatedAgents, UpdateBar, useMayUpdateAgents } from './update-agents.tsx';

type Host = Schemas['AgentHost'];

const route = getRouteApi('/frame/licensed/hosts');

/** Heartbeats bring new figures without an event. */
const figuresMs = 10_000;

export function HostsPage() {
  const t = useTexts('hosts');
  const mayAdd = useMay('POST /api/fleet/enrolment-codes');
  const hosts = usePages('/api/fleet/hosts', {}, { all: true, every: figuresMs });
  const isEmpty = hosts.items?.length === 0;
  const add = (
    <ButtonLink to="/hosts/add" search={{ kind: isEmpty ? 'trial' : 'own' }} leftSection={<Plus size={16} />}>
      {t('add')}
    </ButtonLink>
  );
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      {...(mayAdd && !hosts.isPending && !isEmpty && { action: add })}
    >
      <Loaded
        asked={{ ...hosts, data: hosts.items }}
        waitingFor={t('title')}
        skeleton={<TableSkeleton rows={3} />}
      >
        {(items) =>
          items.length === 0 ? (
            <EmptyState icon={HardDrive} title={t('empty.title')} {...(mayAdd && { action: add })}>
              {t('empty.detail')}
            </EmptyState>
          ) : (
            <>
              <OutdatedAgents hosts={items} />
              <HostTable hosts={items} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

function HostTable({ hosts }: { hosts: readonly Host[] }) {
  const t = useTexts('hosts');
  const { search, sort } = route.useSearch();
  const navigate = route.useNavigate();
  const columns = useHostColumns();
  const wanted = search.trim().toLowerCase();
  const shown = sorted(
    hosts.filter(({ hostname }) => hostname.toLowerCase().includes(wanted)),
    columns,
    sort,
  );
  const mayUpdate = useMayUpdateAgents();
  const selection = useSelection(shown.map(({ id }) => id));
  const selected = shown.filter(({ id }) => selection.has(id));
  const setSearch = useCallback(
    (next: string) => void navigate({ search: (former) => ({ ...former, search: next }), replace: true }),
    [navigate],
  );
  return (
    <>
      <FilterBar
        search={search}
        onSearch={setSearch}
        placeholder={t('search')}
        count={t('count', { count: shown.length })}
      />
      {shown.length === 0 ? (
        <EmptyState icon={SearchX} title={t('noMatch.title')}>
          {t('noMatch.detail', { search })}
        </EmptyState>
      ) : (
        <DataTable
          label={t('title')}
          columns={columns}
          groups={[{ key: 'all', name: '', rows: shown }]}
          keyOf={({ id }) => id}
          nameOf={({ hostname }) => hostname}
          sort={sort}
          onSort={(next) => void navigate({ search: (former) => ({ ...former, sort: next }), replace: true })}
          {...(mayUpdate && { selection })}
        />
      )}
      {selected.length > 0 && <UpdateBar hosts={selected} onClear={() => selection.set([])} />}
    </>
  );
}

function useHostColumns(): readonly Column<Host>[] {
  const t = useTexts('hosts');
  const formats = useFormats();
  const mayList = useMay('GET /api/fleet/instances');
  const { items: instances } = usePages('/api/fleet/instances', {}, { all: true, enabled: mayList });
  return useMemo(() => {
    const counts = new Map<string, number>();
    for (const { host_id } of instances ?? []) counts.set(host_id, (counts.get(host_id) ?? 0) + 1);
    const share = (used: number | null, total: number | null) =>
      used === null || total === null || total === 0 ? null : (used / total) * 100;
    const meter = (used: number | null, total: number | null) => {
      const percent = share(used, total);
      if (percent === null || used === null || total === null) return '–';
      const text = t('of', { used: formats.bytes(used), total: formats.bytes(total) });
      return <Meter percent={percent} text={text} />;
    };
    return [
      {
        key: 'name',
        header: t('columns.name'),
        width: 'minmax(140px, 2fr)',
        phone: 'title',
        sortBy: ({ hostname }) => hostname,
        cell: ({ id, hostname }) => (
          <Link to="/hosts/$hostId" params={{ hostId: id }}>
            {hostname}
          </Link>
        ),
      },
      {
        key: 'status',
        header: t('columns.status'),
        width: '96px',
        phone: 'aside',
        sortBy: ({ status }) => status,
        cell: ({ status }) => (
          <StateText tone={status === 'online' ? 'good' : 'bad'}>{t(`status.${status}`)}</StateText>
        ),
      },
      {
        key: 'servers',
        header: t('columns.servers'),
        width: '80px',
        align: 'end',
        phone: 'line',
        sortBy: ({ id }) => counts.get(id) ?? 0,
        cell: ({ id }) => formats.number(counts.get(id) ?? 0),
      },
      {
        key: 'cpu',
        header: t('columns.cpu'),
        width: 'minmax(80px, 110px)',
        phone: 'line',
        sortBy: ({ cpu_percent }) => cpu_percent,
        cell: ({ cpu_percent }) =>
          cpu_percent === null ? '–' : <Meter percent={cpu_percent} text={formats.percent(cpu_percent)} />,
      },
      {
        key: 'memory',
        header: t('columns.memory'),
        width: 'minmax(140px, 1.2fr)',
        phone: 'line',
        sortBy: (host) => share(host.memory_used_bytes, host.memory_total_bytes),
        cell: (host) => meter(host.memory_used_bytes, host.memory_total_bytes),
      },
      {
        key: 'disk',
        header: t('columns.disk'),
        width: 'minmax(96px, 1fr)',
        phone: 'none',
        isWide: true,
        sortBy: (host) => share(host.disk_used_bytes, host.disk_total_bytes),
        cell: (host) => meter(host.disk_used_bytes, host.disk_total_bytes),
      },
      {
        key: 'agent',
        header: t('columns.agent'),
        width: 'minmax(130px, 1.2fr)',
        phone: 'line',
        sortBy: ({ agent_version }) => agent_version,
        cell: (host) => <AgentVersion host={host} />,
      },
      {
        key: 'seen',
        header: t('columns.seen'),
        width: '104px',
        phone: 'line',
        sortBy: ({ last_heartbeat_at }) => last_heartbeat_at,
        cell: ({ last_heartbeat_at }) =>
          last_heartbeat_at === null ? t('never') : <Time at={last_heartbeat_at} isFocusable={false} />,
      },
    ];
  }, [t, formats, instances]);
}
