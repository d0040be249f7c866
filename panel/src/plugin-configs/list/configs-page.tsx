// The configurations of all plugins, kind by kind.
import { Button, NativeSelect } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Plus, SearchX, SlidersHorizontal } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { useMay } from '../../api/may.ts';
import { EmptyState } from '../../shared/empty-state.tsx';
import { FilterBar } from '../../shared/filter-bar.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { Page } from '../../shared/page.tsx';
import { TableSkeleton } from '../../shared/table-skeleton.tsx';
import { useTexts } from '../../texts/texts.ts';
import { FileDrop } from '../create/file-drop.tsx';
import { kindNames } from '../kinds.ts';
import { noListFilters } from '../searches.ts';
import { ConfigTable } from './config-table.tsx';
import { useConfigs, type Summary } from './use-configs.ts';

const route = getRouteApi('/frame/licensed/plugin-configs');

export function ConfigsPage() {
  const t = useTexts('plugin-configs');
  const mayCreate = useMay('POST /api/plugin-configs/{kind}');
  const configs = useConfigs();
  const create = (
    <Button component={Link} to="/plugin-configs/new" leftSection={<Plus size={16} aria-hidden="true" />}>
      {t('new')}
    </Button>
  );
  const isEmpty = configs.data?.length === 0;
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      {...(mayCreate && !configs.isPending && !isEmpty && { action: create })}
    >
      {mayCreate && <FileDrop />}
      <Loaded asked={configs} waitingFor={t('title')} skeleton={<TableSkeleton />}>
        {(items) =>
          items.length === 0 ? (
            <EmptyState
              icon={SlidersHorizontal}
              title={t('empty.title')}
              {...(mayCreate && { action: create })}
            >
              {mayCreate ? t('empty.detail') : t('empty.viewer')}
            </EmptyState>
          ) : (
            <ConfigList configs={items} />
          )
        }
      </Loaded>
    </Page>
  );
}

function ConfigList({ configs }: { configs: readonly Summary[] }) {
  const t = useTexts('plugin-configs');
  const common = useTexts('common');
  const { search, kind, sort } = route.useSearch();
  const navigate = route.useNavigate();
  const set = useCallback(
    (change: { search?: string; kind?: string; sort?: string }) =>
      void navigate({ search: (former) => ({ ...former, ...change }), replace: true }),
    [navigate],
  );
  const onSort = useCallback((next: string) => set({ sort: next }), [set]);
  const onSearch = useCallback((text: string) => set({ search: text }), [set]);
  const shown = useMemo(() => {
    const wanted = search.trim().toLowerCase();
    return configs.filter(
      (config) =>
        (kind === '' || config.kind === kind) &&
        (wanted === '' || config.name.toLowerCase().includes(wanted)),
    );
  }, [configs, search, kind]);
  return (
    <>
      <FilterBar
        search={search}
        onSearch={onSearch}
        placeholder={t('search')}
        count={
          shown.length === configs.length
            ? t('count', { count: configs.length })
            : t('countOf', { shown: shown.length, total: configs.length })
        }
      >
        <NativeSelect
          aria-label={t('kindFilter')}
          value={kind}
          data={[
            { value: '', label: t('anyKind') },
            ...kindNames.map((name) => ({ value: name, label: t(`kinds.${name}.name`) })),
          ]}
          onChange={(event) => set({ kind: event.currentTarget.value })}
        />
      </FilterBar>
      {shown.length === 0 ? (
        <EmptyState
          icon={SearchX}
          title={t('noMatch.title')}
          action={
            <Button variant="default" onClick={() => set({ ...noListFilters, sort })}>
              {common('actions.clearFilters')}
            </Button>
          }
        >
          {t('noMatch.detail')}
        </EmptyState>
      ) : (
        <ConfigTable configs={shown} sort={sort} onSort={onSort} />
      )}
    </>
  );
}
