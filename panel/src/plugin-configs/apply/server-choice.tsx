// The servers that a configuration can be applied to, and which version each got last.
import { Link } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import type { Schemas } from '../../api/operations.ts';
import { sorted, type Column } from '../../shared/data-table/columns.ts';
import { DataTable } from '../../shared/data-table/data-table.tsx';
import { useSelection } from '../../shared/data-table/selection.ts';
import { InstanceState } from '../../shared/instance-state.tsx';
import { Time } from '../../shared/time.tsx';
import { useTexts } from '../../texts/texts.ts';

type Server = Schemas['GameInstance'];

interface ServerChoiceProps {
  servers: readonly Server[];
  applications: readonly Schemas['PluginConfigApplication'][];
  /** Whether there are no earlier applications than these. */
  isComplete: boolean;
  chosen: readonly string[];
  /** Without it, servers are only shown. */
  onChosen?: (ids: readonly string[]) => void;
}

const keyOf = ({ id }: Server) => id;
const nameOf = ({ name }: Server) => name;

export function ServerChoice({ servers, applications, isComplete, chosen, onChosen }: ServerChoiceProps) {
  const t = useTexts('plugin-configs');
  const columns = useMemo(
    (): Column<Server>[] => [
      {
        key: 'name',
        header: t('apply.columns.name'),
        width: 'minmax(140px, 2fr)',
        phone: 'title',
        sortBy: ({ name }) => name,
        cell: ({ id, name }) => (
          <Link to="/servers/$instanceId" params={{ instanceId: id }}>
            {name}
          </Link>
        ),
      },
      {
        key: 'state',
        header: t('apply.columns.state'),
        width: '120px',
        phone: 'aside',
        cell: ({ state }) => <InstanceState state={state} />,
      },
      {
        key: 'host',
        header: t('apply.columns.host'),
        width: 'minmax(100px, 1fr)',
        phone: 'line',
        cell: ({ hostname }) => hostname,
      },
      {
        key: 'applied',
        header: t('apply.columns.applied'),
        width: 'minmax(150px, 1.2fr)',
        phone: 'line',
        cell: ({ id }) => {
          const last = applications.find(
            ({ instance_id, status }) => instance_id === id && status === 'succeeded',
          );
          if (last === undefined)
            return <span className="dim">{t(isComplete ? 'apply.never' : 'apply.notLately')}</span>;
          return (
            <span className="nowrap">
              {last.config_version !== null && t('apply.version', { version: last.config_version })}{' '}
              <Time at={last.finished_at ?? last.created_at} isFocusable={false} />
            </span>
          );
        },
      },
    ],
    [t, applications, isComplete],
  );
  const rows = useMemo(() => sorted(servers, columns, 'name'), [servers, columns]);
  const order = useMemo(() => rows.map(({ id }) => id), [rows]);
  const selection = useSelection(order, chosen);
  const { keys } = selection;
  useEffect(() => {
    onChosen?.(keys);
  }, [keys, onChosen]);
  return (
    <DataTable
      label={t('apply.servers')}
      columns={columns}
      groups={[{ key: 'all', name: '', rows }]}
      keyOf={keyOf}
      nameOf={nameOf}
      {...(onChosen !== undefined && { selection })}
    />
  );
}
