// All plugins that the framework reports.
import { NativeSelect } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Puzzle, SearchX } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { StateText, type Tone } from '@gantry/ui/state-text.tsx';
import { sorted, type Column } from '../shared/data-table/columns.ts';
import { DataTable } from '../shared/data-table/data-table.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { FilterBar } from '../shared/filter-bar.tsx';
import { useTexts } from '../texts/texts.ts';
import { PluginMenu, type Verb } from './plugin-menu.tsx';
import { matching, states, type Plugin, type PluginSearch } from './plugin-search.ts';

const route = getRouteApi('/frame/licensed/servers/$instanceId/plugins');

const keyOf = ({ name }: Plugin) => name;

interface PluginListProps {
  plugins: readonly Plugin[];
  mayManage: boolean;
  onChoose: (verb: Verb, plugin: Plugin) => void;
}

export function PluginList({ plugins, mayManage, onChoose }: PluginListProps) {
  const t = useTexts('plugins');
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const set = useCallback(
    (change: Partial<PluginSearch>) =>
      void navigate({ search: (former) => ({ ...former, ...change }), replace: true }),
    [navigate],
  );
  const setSearch = useCallback((search: string) => set({ search }), [set]);
  const columns = usePluginColumns(mayManage, onChoose);
  const shown = sorted(matching(plugins, filters), columns, filters.sort);
  if (plugins.length === 0)
    return (
      <EmptyState icon={Puzzle} title={t('empty.title')}>
        {t('empty.detail')}
      </EmptyState>
    );
  return (
    <>
      <FilterBar
        search={filters.search}
        onSearch={setSearch}
        placeholder={t('search')}
        count={t('count', { count: shown.length })}
      >
        <NativeSelect
          aria-label={t('columns.state')}
          value={filters.state}
          data={[
            { value: '', label: t('anyState') },
            ...states.map((state) => ({ value: state, label: t(`states.${state}`) })),
          ]}
          onChange={(event) => set({ state: event.currentTarget.value as PluginSearch['state'] })}
        />
      </FilterBar>
      {shown.length === 0 ? (
        <EmptyState icon={SearchX} title={t('noMatch.title')}>
          {t('noMatch.detail')}
        </EmptyState>
      ) : (
        <DataTable
          label={t('title')}
          columns={columns}
          groups={[{ key: 'all', name: '', rows: shown }]}
          keyOf={keyOf}
          nameOf={keyOf}
          sort={filters.sort}
          onSort={(sort) => set({ sort })}
        />
      )}
    </>
  );
}

const tones: Record<Plugin['state'], Tone> = { loaded: 'good', unloaded: 'idle', failed: 'bad' };

function usePluginColumns(mayManage: boolean, onChoose: PluginListProps['onChoose']) {
  const t = useTexts('plugins');
  return useMemo(
    (): readonly Column<Plugin>[] => [
      {
        key: 'name',
        header: t('columns.plugin'),
        width: 'minmax(160px, 2fr)',
        phone: 'title',
        sortBy: ({ name }) => name,
        cell: ({ name, title }) => (
          <>
            <strong>{title ?? name}</strong>{' '}
            {title !== null && title !== name && <span className="dim">{name}</span>}
          </>
        ),
      },
      {
        key: 'state',
        header: t('columns.state'),
        width: '130px',
        phone: 'line',
        sortBy: ({ state }) => states.indexOf(state),
        cell: ({ state }) => <StateText tone={tones[state]}>{t(`states.${state}`)}</StateText>,
      },
      {
        key: 'version',
        header: t('columns.version'),
        width: '100px',
        phone: 'line',
        sortBy: ({ version }) => version,
        cell: ({ version }) => version ?? '–',
      },
      {
        key: 'author',
        header: t('columns.author'),
        width: 'minmax(100px, 1fr)',
        phone: 'none',
        sortBy: ({ author }) => author,
        cell: ({ author }) => author ?? '–',
      },
      ...(mayManage
        ? [
            {
              key: 'actions',
              header: t('columns.actions'),
              width: '70px',
              align: 'end' as const,
              phone: 'aside' as const,
              // A plugin without a file is part of the framework.
              cell: (plugin: Plugin) =>
                plugin.file === null ? '' : <PluginMenu plugin={plugin} onChoose={onChoose} />,
            },
          ]
        : []),
    ],
    [t, mayManage, onChoose],
  );
}
