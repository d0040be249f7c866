// The categories of the store in the order that buyers see.
import { Button } from '@mantine/core';
import { FolderOpen, Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useMay } from '../../api/may.ts';
import type { Schemas } from '../../api/operations.ts';
import type { Column } from '../../shared/data-table/columns.ts';
import { DataTable } from '../../shared/data-table/data-table.tsx';
import { EmptyState } from '../../shared/empty-state.tsx';
import { useFormats } from '../../shared/formats.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { TableSkeleton } from '../../shared/table-skeleton.tsx';
import { useTexts } from '../../texts/texts.ts';
import { byPosition, useCategories } from '../use-store.ts';
import { CategoryDialog, type Editing } from './category-dialog.tsx';
import { DeleteCategoryDialog } from './delete-dialogs.tsx';
import classes from './items.module.css';

type Category = Schemas['StoreCategory'];

export function CategoriesPage() {
  const t = useTexts('store');
  const mayManage = useMay('POST /api/webstore/categories');
  const categories = useCategories();
  const [editing, setEditing] = useState<Editing>(null);
  const [deleted, setDeleted] = useState<Category | null>(null);
  const nextPosition = Math.max(0, ...(categories.items ?? []).map(({ position }) => position)) + 10;
  const add = (
    <Button leftSection={<Plus size={16} />} onClick={() => setEditing({ position: nextPosition })}>
      {t('categories.add')}
    </Button>
  );
  return (
    <>
      <Loaded
        asked={{ ...categories, data: categories.items }}
        waitingFor={t('tabs.categories')}
        skeleton={<TableSkeleton rows={3} />}
      >
        {(items) =>
          items.length === 0 ? (
            <EmptyState
              icon={FolderOpen}
              title={t('categories.empty.title')}
              {...(mayManage && { action: add })}
            >
              {t('categories.empty.detail')}
            </EmptyState>
          ) : (
            <>
              {mayManage && <div className={classes.bar}>{add}</div>}
              <CategoryTable
                categories={items.toSorted(byPosition)}
                onEdit={mayManage ? ({ id }) => setEditing({ id }) : undefined}
                onDelete={mayManage ? setDeleted : undefined}
              />
            </>
          )
        }
      </Loaded>
      <CategoryDialog editing={editing} onClose={() => setEditing(null)} />
      <DeleteCategoryDialog category={deleted} onClose={() => setDeleted(null)} />
    </>
  );
}

interface CategoryTableProps {
  categories: readonly Category[];
  onEdit: ((category: Category) => void) | undefined;
  onDelete: ((category: Category) => void) | undefined;
}

function CategoryTable({ categories, onEdit, onDelete }: CategoryTableProps) {
  const t = useTexts('store');
  const common = useTexts('common');
  const formats = useFormats();
  const columns = useMemo<Column<Category>[]>(
    () => [
      {
        key: 'name',
        header: t('categories.name'),
        width: 'minmax(140px, 1fr)',
        phone: 'title',
        cell: ({ name }) => <span className="cut">{name}</span>,
      },
      {
        key: 'description',
        header: t('categories.description'),
        width: 'minmax(140px, 2fr)',
        phone: 'none',
        cell: ({ description }) => <span className="cut dim">{description ?? '–'}</span>,
      },
      {
        key: 'items',
        header: t('categories.items'),
        width: '90px',
        align: 'end',
        phone: 'line',
        cell: ({ item_count }) => formats.number(item_count),
      },
      {
        key: 'position',
        header: t('position.label'),
        width: '90px',
        align: 'end',
        phone: 'line',
        cell: ({ position }) => formats.number(position),
      },
      ...(onEdit === undefined || onDelete === undefined
        ? []
        : [
            {
              key: 'actions',
              header: common('table.actions'),
              width: '190px',
              align: 'end' as const,
              phone: 'aside' as const,
              cell: (category: Category) => (
                <span className={classes.rowActions}>
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={t('categories.editNamed', { name: category.name })}
                    onClick={() => onEdit(category)}
                  >
                    {common('actions.edit')}
                  </Button>
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={t('categories.deleteNamed', { name: category.name })}
                    onClick={() => onDelete(category)}
                  >
                    {common('actions.delete')}
                  </Button>
                </span>
              ),
            },
          ]),
    ],
    [t, common, formats, onEdit, onDelete],
  );
  return (
    <DataTable
      label={t('tabs.categories')}
      columns={columns}
      groups={[{ key: 'all', name: '', rows: categories }]}
      keyOf={({ id }) => id}
      nameOf={({ name }) => name}
    />
  );
}
