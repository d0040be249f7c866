// The hosts of all licenses, with the versions of their agents.
import { NativeSelect } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { HardDrive } from 'lucide-react';
import { useMemo } from 'react';
import { StateText } from '@gantry/ui/state-text.tsx';
import type { Schemas } from '../api/operations.ts';
import { usePages, useRead } from '../api/reading.ts';
import type { Column } from '../shared/data-table/columns.ts';
import { useFormats } from '../shared/formats.ts';
import { Page } from '../shared/page.tsx';
import { PagedTable } from '../shared/paged-table.tsx';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import { everyMs } from './every-ms.ts';
import { Figures } from '../shared/figures.tsx';
import classes from './admin.module.css';

type Host = Schemas['PlatformHost'];

const route = getRouteApi('/frame/platform/hosts');

export function HostsPage() {
  const t = useTexts('admin');
  const formats = useFormats();
  const { status, version } = route.useSearch();
  const navigate = route.useNavigate();
  const query = { ...(status !== '' && { status }), ...(version !== '' && { agent_version: version }) };
  const hosts = usePages('/api/admin/servers', { params: { query } }, { every: everyMs, keepsFormer: true });
  const { data } = useRead('/api/admin/servers', { params: { query: { limit: 1 } } }, { every: everyMs });
  const columns = useHostColumns();
  const totals = data?.totals;
  const versions = totals?.agent_versions ?? [];
  return (
    <Page title={t('hosts.title')} lead={t('hosts.lead')}>
      {totals !== undefined && (
        <Figures
          label={t('hosts.title')}
          figures={[
            {
              name: t('hosts.online'),
              value: formats.number(totals.online_hosts),
              detail: t('overview.hostsElse', { total: formats.number(totals.hosts) }),
            },
            { name: t('hosts.running'), value: formats.number(totals.instances.running) },
            {
              name: t('hosts.crashed'),
              value: formats.number(totals.instances.crashed),
              ...(totals.instances.crashed > 0 && { tone: 'bad' as const }),
            },
            { name: t('hosts.versions'), value: formats.number(versions.length) },
          ]}
        />
      )}
      <div className={classes.filters}>
        <NativeSelect
          aria-label={t('licenses.status')}
          value={status}
          data={[
            { value: '', label: t('anyStatus') },
            { value: 'online', label: t('hosts.isOnline') },
            { value: 'offline', label: t('hosts.isOffline') },
          ]}
          onChange={({ currentTarget: { value } }) =>
            void navigate({
              search: (former) => ({ ...former, status: value as '' | 'online' | 'offline' }),
              replace: true,
            })
          }
        />
        <NativeSelect
          aria-label={t('hosts.version')}
          value={version}
          data={[
            { value: '', label: t('hosts.anyVersion') },
            ...versions.map(({ agent_version, hosts: count }) => ({
              value: agent_version,
              label: `${agent_version} (${formats.number(count)})`,
            })),
          ]}
          onChange={({ currentTarget: { value } }) =>
            void navigate({ search: (former) => ({ ...former, version: value }), replace: true })
          }
        />
      </div>
      <PagedTable
        label={t('hosts.title')}
        pages={hosts}
        columns={columns}
        keyOf={({ id }) => id}
        nameOf={({ hostname }) => hostname}
        isFiltered={status !== '' || version !== ''}
        empty={{ icon: HardDrive, title: t('hosts.empty'), detail: t('hosts.emptyDetail') }}
      />
    </Page>
  );
}

function useHostColumns(): readonly Column<Host>[] {
  const t = useTexts('admin');
  const formats = useFormats();
  return useMemo(
    () => [
      {
        key: 'hostname',
        header: t('hosts.host'),
        width: 'minmax(140px, 1.3fr)',
        phone: 'title',
        cell: ({ hostname }) => <b>{hostname}</b>,
      },
      {
        key: 'status',
        header: t('licenses.status'),
        width: '100px',
        phone: 'aside',
        cell: ({ status }) => (
          <StateText tone={status === 'online' ? 'good' : 'bad'}>
            {status === 'online' ? t('hosts.isOnline') : t('hosts.isOffline')}
          </StateText>
        ),
      },
      {
        key: 'license',
        header: t('hosts.license'),
        width: 'minmax(120px, 1.2fr)',
        phone: 'line',
        cell: ({ license_name }) => license_name,
      },
      {
        key: 'servers',
        header: t('hosts.servers'),
        width: '110px',
        align: 'end',
        phone: 'line',
        cell: ({ instances }) =>
          t('hosts.runningOf', {
            running: formats.number(instances.running),
            total: formats.number(Object.values(instances).reduce((sum, count) => sum + count, 0)),
          }),
      },
      {
        key: 'agent',
        header: t('hosts.version'),
        width: '160px',
        phone: 'line',
        cell: ({ agent_version, platform }) => (
          <>
            {agent_version} <span className="dim">{platform}</span>
          </>
        ),
      },
      {
        key: 'seen',
        header: t('hosts.seen'),
        width: '110px',
        phone: 'none',
        isWide: true,
        cell: ({ last_heartbeat_at }) =>
          last_heartbeat_at === null ? '–' : <Time at={last_heartbeat_at} isFocusable={false} />,
      },
    ],
    [t, formats],
  );
}
