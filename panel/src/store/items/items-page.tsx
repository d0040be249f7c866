// The items of the store, by category, in the order that buyers see.
import { Button, NativeSelect } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Package, Plus, SearchX } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { StateText } from '@gantry/ui/state-text.tsx';
import type { Schemas } from '../../api/operations.ts';
import { grouped, sorted, type Column } from '../../shared/data-table/columns.ts';
import { DataTable } from '../../shared/data-table/data-table.tsx';
import { EmptyState } from '../../shared/empty-state.tsx';
import { FilterBar } from '../../shared/filter-bar.tsx';
import { useFormats } from '../../shared/formats.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { TableSkeleton } from '../../shared/table-skeleton.tsx';
import { useTexts } from '../../texts/texts.ts';
import type { ItemSearch } from '../searches.ts';
import { useCategories, useItems } from '../use-store.ts';
import classes from './items.module.css';
import { useMayCreateItems } from './permissions.ts';

type Item = Schemas['StoreItem'];

const route = getRouteApi('/frame/licensed/webstore/items');

export function ItemsPage() {
  const t = useTexts('store');
  const mayCreate = useMayCreateItems();
  const items = useItems();
  const add = (
    <Button component={Link} to="/webstore/items/new" leftSection={<Plus size={16} />}>
      {t('items.add')}
    </Button>
  );
  return (
    <Loaded asked={{ ...items, data: items.items }} waitingFor={t('tabs.items')} skeleton={<TableSkeleton />}>
      {(loaded) =>
        loaded.length === 0 ? (
          <EmptyState icon={Package} title={t('items.empty.title')} {...(mayCreate && { action: add })}>
            {t('items.empty.detail')}
          </EmptyState>
        ) : (
          <ItemList items={loaded} action={mayCreate ? add : null} />
        )
      }
    </Loaded>
  );
}

function ItemList({ items, action }: { items: readonly Item[]; action: React.ReactNode }) {
  const t = useTexts('store');
  const { search, category, sort } = route.useSearch();
  const navigate = route.useNavigate();
  const categories = useCategories().items ?? [];
  const columns = useItemColumns();
  const set = useCallback(
    (change: Partial<ItemSearch>) =>
      void navigate({ search: (former) => ({ ...former, ...change }), replace: true }),
    [navigate],
  );
  const setSearch = useCallback((next: string) => set({ search: next }), [set]);
  const wanted = search.trim().toLowerCase();
  const shown = sorted(
    items.filter(
      (item) =>
        (category === '' ||
          (category === 'none' ? item.category_id === null : item.category_id === category)) &&
        item.name.toLowerCase().includes(wanted),
    ),
    columns,
    sort,
  );
  const places = new Map(categories.map(({ id, name, position }) => [id, { name, position }]));
  const groups = grouped(
    shown,
    ({ category_id }) => {
      const place = category_id === null ? undefined : places.get(category_id);
      return place === undefined || category_id === null ? null : { key: category_id, name: place.name };
    },
    categories.length === 0 ? '' : t('items.noCategory'),
  ).toSorted(
    (one, other) =>
      (places.get(one.key)?.position ?? Infinity) - (places.get(other.key)?.position ?? Infinity),
  );
  return (
    <>
      <div className={classes.bar}>
        <div className="grow">
          <FilterBar
            search={search}
            onSearch={setSearch}
            placeholder={t('items.search')}
            count={t('items.count', { count: shown.length })}
          >
            {categories.length > 0 && (
              <NativeSelect
                aria-label={t('items.category')}
                value={category}
                data={[
                  { value: '', label: t('items.anyCategory') },
                  ...categories.map(({ id, name }) => ({ value: id, label: name })),
                  { value: 'none', label: t('items.noCategory') },
                ]}
                onChange={(event) => set({ category: event.currentTarget.value })}
              />
            )}
          </FilterBar>
        </div>
        {action}
      </div>
      {shown.length === 0 ? (
        <EmptyState icon={SearchX} title={t('items.noMatch.title')}>
          {t('items.noMatch.detail')}
        </EmptyState>
      ) : (
        <DataTable
          label={t('tabs.items')}
          columns={columns}
          groups={groups}
          keyOf={({ id }) => id}
          nameOf={({ name }) => name}
          sort={sort}
          onSort={(next) => set({ sort: next })}
        />
      )}
    </>
  );
}

function useItemColumns(): Column<Item>[] {
  const t = useTexts('store');
  const formats = useFormats();
  return useMemo(
    () => [
      {
        key: 'name',
        header: t('items.columns.name'),
        width: 'minmax(160px, 2fr)',
        phone: 'title',
        sortBy: ({ name }) => name,
        cell: ({ id, name }) => (
          <Link className="cut" to="/webstore/items/$itemId" params={{ itemId: id }}>
            {name}
          </Link>
        ),
      },
      {
        key: 'state',
        header: t('items.columns.state'),
        width: 'minmax(120px, 1fr)',
        phone: 'aside',
        sortBy: ({ is_enabled }) => (is_enabled ? 0 : 1),
        cell: (item) => <ItemState item={item} />,
      },
      {
        key: 'price',
        header: t('items.columns.price'),
        width: 'minmax(90px, 0.8fr)',
        align: 'end',
        phone: 'line',
        sortBy: ({ price }) => Number(price.amount),
        cell: ({ price }) => formats.money(price),
      },
      {
        key: 'sold',
        header: t('items.columns.sold'),
        width: 'minmax(110px, 0.8fr)',
        align: 'end',
        phone: 'line',
        sortBy: ({ sold_count }) => sold_count,
        cell: ({ sold_count, limit_total }) =>
          limit_total === null
            ? formats.number(sold_count)
            : t('items.soldOf', { sold: formats.number(sold_count), total: formats.number(limit_total) }),
      },
      {
        key: 'position',
        header: t('position.label'),
        width: '100px',
        align: 'end',
        phone: 'none',
        isWide: true,
        sortBy: ({ position }) => position,
        cell: ({ position }) => formats.number(position),
      },
    ],
    [t, formats],
  );
}

function ItemState({ item: { is_enabled, sold_count, limit_total, instance_ids } }: { item: Item }) {
  const t = useTexts('store');
  if (!is_enabled) return <StateText tone="idle">{t('items.states.hidden')}</StateText>;
  // Its servers were deleted, so that nothing could be delivered.
  if (instance_ids.length === 0) return <StateText tone="bad">{t('items.states.noServer')}</StateText>;
  if (limit_total !== null && sold_count >= limit_total)
    return <StateText tone="busy">{t('items.states.soldOut')}</StateText>;
  return <StateText tone="good">{t('items.states.forSale')}</StateText>;
}
