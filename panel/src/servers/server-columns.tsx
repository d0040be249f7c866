// The columns of the table of servers.
import { useMemo } from 'react';
import { StateText } from '@gantry/ui/state-text.tsx';
import { useMay } from '../api/may.ts';
import type { Column } from '../shared/data-table/columns.ts';
import { useFormats } from '../shared/formats.ts';
import { instanceStates, instanceTones } from '../shared/instance-state.tsx';
import { RowLink } from '../shared/row-link.tsx';
import { useTexts } from '../texts/texts.ts';
import { RowPower } from './bulk/row-power.tsx';
import type { Server } from './server-search.ts';

const none = '–';

export function useServerColumns(
  clusters: ReadonlyMap<string, string>,
  agentVersions: ReadonlyMap<string, string>,
): readonly Column<Server>[] {
  const t = useTexts('servers');
  const common = useTexts('common');
  const formats = useFormats();
  const mayPower = useMay('POST /api/instances/{instance_id}/start');
  return useMemo(
    (): Column<Server>[] => [
      {
        key: 'name',
        header: t('columns.name'),
        width: 'minmax(130px, 2fr)',
        phone: 'title',
        sortBy: ({ name }) => name,
        cell: ({ id, name }) => <RowLink href={`/servers/${id}`}>{name}</RowLink>,
      },
      {
        key: 'state',
        header: t('columns.state'),
        width: '112px',
        phone: 'aside',
        sortBy: ({ state }) => instanceStates.indexOf(state),
        cell: ({ state }) => (
          <StateText tone={instanceTones[state]}>{common(`instanceState.${state}`)}</StateText>
        ),
      },
      {
        key: 'players',
        header: t('columns.players'),
        width: '104px',
        align: 'end',
        phone: 'line',
        sortBy: ({ players }) => players,
        cell: ({ players, max_players, queued }) => {
          if (players === null) return none;
          const count =
            max_players === null
              ? formats.number(players)
              : t('players', { players: formats.number(players), max: formats.number(max_players) });
          return queued === null || queued === 0 ? count : `${count} ${t('queued', { queued })}`;
        },
      },
      {
        key: 'fps',
        header: t('columns.fps'),
        width: '56px',
        align: 'end',
        phone: 'line',
        sortBy: ({ fps }) => fps,
        cell: ({ fps }) => (fps === null ? none : formats.number(Math.round(fps))),
      },
      {
        key: 'memory',
        header: t('columns.memory'),
        width: '72px',
        align: 'end',
        phone: 'line',
        sortBy: ({ memory_bytes }) => memory_bytes,
        cell: ({ memory_bytes }) => (memory_bytes === null ? none : formats.bytes(memory_bytes)),
      },
      {
        key: 'uptime',
        header: t('columns.uptime'),
        width: '100px',
        align: 'end',
        phone: 'none',
        isWide: true,
        sortBy: ({ uptime_seconds }) => uptime_seconds,
        cell: ({ uptime_seconds }) => (uptime_seconds === 0 ? none : formats.duration(uptime_seconds)),
      },
      {
        key: 'map',
        header: t('columns.map'),
        width: 'minmax(80px, 1fr)',
        phone: 'none',
        sortBy: ({ map }) => map,
        cell: ({ map }) => map ?? none,
      },
      {
        key: 'host',
        header: t('columns.host'),
        width: 'minmax(80px, 1fr)',
        phone: 'line',
        sortBy: ({ hostname }) => hostname,
        cell: ({ hostname }) => hostname,
      },
      {
        key: 'agent',
        header: t('columns.agent'),
        width: '84px',
        phone: 'none',
        isWide: true,
        sortBy: ({ host_id }) => agentVersions.get(host_id) ?? null,
        cell: ({ host_id }) => agentVersions.get(host_id) ?? none,
      },
      ...(clusters.size === 0
        ? []
        : [
            {
              key: 'cluster',
              header: t('columns.cluster'),
              width: 'minmax(72px, 1fr)',
              phone: 'none',
              sortBy: ({ cluster_id }: Server) => clusters.get(cluster_id ?? '') ?? null,
              cell: ({ cluster_id }: Server) => clusters.get(cluster_id ?? '') ?? none,
            } as const,
          ]),
      ...(mayPower
        ? [
            {
              key: 'power',
              header: t('columns.power'),
              hidesHeader: true,
              width: '44px',
              align: 'end',
              phone: 'none',
              cell: (server: Server) => <RowPower server={server} />,
            } as const,
          ]
        : []),
    ],
    [t, common, formats, clusters, agentVersions, mayPower],
  );
}
