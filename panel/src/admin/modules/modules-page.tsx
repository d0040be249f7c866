// All modules of the catalog, whether or not licenses can buy them.
import { Link } from '@tanstack/react-router';
import { StateText } from '@gantry/ui/state-text.tsx';
import { Blocks, Plus } from 'lucide-react';
import { useMemo } from 'react';
import type { Schemas } from '../../api/operations.ts';
import { usePages } from '../../api/reading.ts';
import { usePriceWords } from '../../modules/price-words.ts';
import { ButtonLink } from '../../shared/button-link.tsx';
import type { Column } from '../../shared/data-table/columns.ts';
import { useFormats } from '../../shared/formats.ts';
import { Page } from '../../shared/page.tsx';
import { PagedTable } from '../../shared/paged-table.tsx';
import { Time } from '../../shared/time.tsx';
import { useTexts } from '../../texts/texts.ts';
import { everyMs } from '../every-ms.ts';

export function ModulesPage() {
  const t = useTexts('admin-modules');
  const modules = usePages('/api/admin/modules', {}, { every: everyMs });
  const columns = useColumns();
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      action={
        <ButtonLink to="/platform/modules/new" leftSection={<Plus size={16} />}>
          {t('create')}
        </ButtonLink>
      }
    >
      <PagedTable
        label={t('title')}
        pages={modules}
        columns={columns}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        isFiltered={false}
        empty={{ icon: Blocks, title: t('empty.title'), detail: t('empty.detail') }}
      />
    </Page>
  );
}

function useColumns(): readonly Column<Schemas['CatalogModule']>[] {
  const t = useTexts('admin-modules');
  const formats = useFormats();
  const words = usePriceWords();
  return useMemo(
    () => [
      {
        key: 'name',
        header: t('columns.name'),
        width: 'minmax(160px, 1.6fr)',
        phone: 'title',
        cell: ({ id, name }) => (
          <Link to="/platform/modules/$moduleId" params={{ moduleId: id }}>
            {name}
          </Link>
        ),
      },
      {
        key: 'listed',
        header: t('columns.listed'),
        width: '130px',
        phone: 'aside',
        cell: ({ is_listed }) => (
          <StateText tone={is_listed ? 'good' : 'idle'}>{is_listed ? t('listed') : t('hidden')}</StateText>
        ),
      },
      {
        key: 'price',
        header: t('columns.price'),
        width: 'minmax(200px, 1.8fr)',
        phone: 'line',
        cell: (module) => {
          const alternative = words.alternative(module);
          return (
            <span>
              {words.price(module)} {alternative !== null && <span className="dim">{alternative}</span>}
            </span>
          );
        },
      },
      {
        key: 'owners',
        header: t('columns.owners'),
        width: '90px',
        align: 'end',
        phone: 'line',
        cell: ({ purchase_count }) => formats.number(purchase_count),
      },
      {
        key: 'plugin',
        header: t('columns.plugin'),
        width: 'minmax(130px, 1fr)',
        phone: 'line',
        isWide: true,
        cell: ({ plugin }) => <span className="mono">{plugin}</span>,
      },
      {
        key: 'created',
        header: t('columns.created'),
        width: '110px',
        phone: 'line',
        cell: ({ created_at }) => <Time at={created_at} isFocusable={false} />,
      },
    ],
    [t, formats, words],
  );
}
