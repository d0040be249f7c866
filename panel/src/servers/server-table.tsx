// The table of servers, with the selection that actions apply to.
import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useMemo, useRef } from 'react';
import { useMayAny } from '../api/may.ts';
import { grouped, inFormerOrder, sorted, type Group } from '../shared/data-table/columns.ts';
import { DataTable } from '../shared/data-table/data-table.tsx';
import { useSelection } from '../shared/data-table/selection.ts';
import { useTexts } from '../texts/texts.ts';
import { BulkBar } from './bulk/bulk-bar.tsx';
import { useAgentVersions } from './agent-versions.ts';
import { useServerColumns } from './server-columns.tsx';
import type { Server } from './server-search.ts';

const route = getRouteApi('/frame/licensed/servers');

// The same functions at each rendering, so that rows are not rendered again.
const keyOf = ({ id }: Server) => id;
const nameOf = ({ name }: Server) => name;

interface ServerTableProps {
  servers: readonly Server[];
  clusters: ReadonlyMap<string, string>;
}

export function ServerTable({ servers, clusters }: ServerTableProps) {
  const t = useTexts('servers');
  const { sort, group } = route.useSearch();
  const navigate = route.useNavigate();
  const agentVersions = useAgentVersions();
  const columns = useServerColumns(clusters, agentVersions);
  const ranks = useRef<ReadonlyMap<string, number>>(new Map());
  const groups = useMemo((): Group<Server>[] => {
    const rows = sorted(inFormerOrder(servers, ranks.current, keyOf), columns, sort);
    ranks.current = new Map(rows.map(({ id }, index) => [id, index]));
    if (group === 'none') return [{ key: 'all', name: '', rows }];
    if (group === 'host')
      return grouped(rows, ({ host_id, hostname }) => ({ key: host_id, name: hostname }), '');
    return grouped(
      rows,
      ({ cluster_id }) => {
        const name = clusters.get(cluster_id ?? '');
        return cluster_id === null || name === undefined ? null : { key: cluster_id, name };
      },
      t('noCluster'),
    );
  }, [servers, columns, sort, group, clusters, t]);
  const order = useMemo(() => groups.flatMap(({ rows }) => rows.map(({ id }) => id)), [groups]);
  const selection = useSelection(order);
  const mayAct = useMayAny(
    'POST /api/instances/{instance_id}/start',
    'POST /api/instances/{instance_id}/console',
    'POST /api/fleet/agent-updates',
  );
  const setSort = useCallback(
    (next: string) => void navigate({ search: (former) => ({ ...former, sort: next }), replace: true }),
    [navigate],
  );
  const selected = servers.filter(({ id }) => selection.has(id));
  return (
    <>
      <DataTable
        label={t('title')}
        columns={columns}
        groups={groups}
        keyOf={keyOf}
        nameOf={nameOf}
        sort={sort}
        onSort={setSort}
        {...(mayAct && { selection })}
      />
      {selected.length > 0 && <BulkBar servers={selected} onClear={() => selection.set([])} />}
    </>
  );
}
