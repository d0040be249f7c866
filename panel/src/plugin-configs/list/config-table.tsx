// The table of configurations, grouped by kind.
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { sorted, type Column, type Group } from '../../shared/data-table/columns.ts';
import { DataTable } from '../../shared/data-table/data-table.tsx';
import { Time } from '../../shared/time.tsx';
import { useTexts } from '../../texts/texts.ts';
import { ConfigMenu } from '../config/config-menu.tsx';
import { kindNames } from '../kinds.ts';
import type { Summary } from './use-configs.ts';

const keyOf = ({ id }: Summary) => id;
const nameOf = ({ name }: Summary) => name;

interface ConfigTableProps {
  configs: readonly Summary[];
  sort: string;
  onSort: (sort: string) => void;
}

export function ConfigTable({ configs, sort, onSort }: ConfigTableProps) {
  const t = useTexts('plugin-configs');
  const columns = useMemo(
    (): Column<Summary>[] => [
      {
        key: 'name',
        header: t('columns.name'),
        width: 'minmax(160px, 2fr)',
        phone: 'title',
        sortBy: ({ name }) => name,
        cell: ({ kind, id, name }) => (
          <Link to="/plugin-configs/$kind/$configId" params={{ kind, configId: id }}>
            {name}
          </Link>
        ),
      },
      {
        key: 'version',
        header: t('columns.version'),
        width: '80px',
        align: 'end',
        phone: 'line',
        cell: ({ version }) => version,
      },
      {
        key: 'updated',
        header: t('columns.updated'),
        width: 'minmax(120px, 1fr)',
        phone: 'line',
        sortBy: ({ updated_at }) => updated_at,
        cell: ({ updated_at }) => <Time at={updated_at} isFocusable={false} />,
      },
      {
        key: 'by',
        header: t('columns.by'),
        width: 'minmax(120px, 1.2fr)',
        phone: 'line',
        isWide: true,
        cell: ({ updated_by }) => <span className="cut">{updated_by ?? '–'}</span>,
      },
      {
        key: 'menu',
        header: t('columns.actions'),
        width: '84px',
        align: 'end',
        phone: 'aside',
        cell: (config) => <ConfigMenu config={config} />,
      },
    ],
    [t],
  );
  const groups = useMemo(
    (): Group<Summary>[] =>
      kindNames
        .map((kind) => ({
          key: kind,
          name: t(`kinds.${kind}.name`),
          rows: sorted(
            configs.filter((config) => config.kind === kind),
            columns,
            sort,
          ),
        }))
        .filter(({ rows }) => rows.length > 0),
    [configs, columns, sort, t],
  );
  return (
    <DataTable
      label={t('title')}
      columns={columns}
      groups={groups}
      keyOf={keyOf}
      nameOf={nameOf}
      sort={sort}
      onSort={onSort}
    />
  );
}
