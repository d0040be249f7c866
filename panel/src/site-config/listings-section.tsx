// The servers of the license, and whether each is listed.
import { Button } from '@mantine/core';
import { Server } from 'lucide-react';
import { useMemo } from 'react';
import { Section } from '@gantry/ui/section.tsx';
import { StateText } from '@gantry/ui/state-text.tsx';
import { useMay } from '../api/may.ts';
import type { Schemas } from '../api/operations.ts';
import type { usePages } from '../api/reading.ts';
import type { Column } from '../shared/data-table/columns.ts';
import { DataTable } from '../shared/data-table/data-table.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { TableSkeleton } from '../shared/table-skeleton.tsx';
import { useTexts } from '../texts/texts.ts';
import type { SettingsValues } from './settings-section.tsx';

type Listing = Schemas['PublicListing'];

interface ListingsSectionProps {
  listings: ReturnType<typeof usePages<'/api/site-config/instances'>>;
  settings: SettingsValues;
  onOpen: (instanceId: string) => void;
}

export const isListed = ({ is_listed }: Listing, settings: SettingsValues): boolean =>
  is_listed ?? settings.is_listed_by_default;

export function ListingsSection({ listings, settings, onOpen }: ListingsSectionProps) {
  const t = useTexts('site-config');
  return (
    <Section title={t('listings.title')} lead={t('listings.lead')}>
      <Loaded
        asked={{ ...listings, data: listings.items }}
        waitingFor={t('listings.title')}
        skeleton={<TableSkeleton rows={3} />}
      >
        {(items) =>
          items.length === 0 ? (
            <EmptyState icon={Server} title={t('listings.empty.title')}>
              {t('listings.empty.detail')}
            </EmptyState>
          ) : (
            <ListingTable listings={items} settings={settings} onOpen={onOpen} />
          )
        }
      </Loaded>
    </Section>
  );
}

interface ListingTableProps {
  listings: readonly Listing[];
  settings: SettingsValues;
  onOpen: (instanceId: string) => void;
}

function ListingTable({ listings, settings, onOpen }: ListingTableProps) {
  const t = useTexts('site-config');
  const common = useTexts('common');
  const mayChange = useMay('PATCH /api/site-config/instances/{instance_id}');
  const columns = useMemo<Column<Listing>[]>(
    () => [
      {
        key: 'name',
        header: t('listings.name'),
        width: 'minmax(120px, 1.4fr)',
        phone: 'title',
        cell: ({ instance_name, display_name }) => (
          <span className="cut">
            {display_name ?? instance_name}
            {display_name !== null && <span className="dim"> · {instance_name}</span>}
          </span>
        ),
      },
      {
        key: 'listed',
        header: t('listings.listed'),
        width: 'minmax(120px, 1fr)',
        phone: 'line',
        cell: (listing) => (
          <StateText tone={isListed(listing, settings) ? 'good' : 'idle'}>
            {isListed(listing, settings) ? t('listings.isListed') : t('listings.isHidden')}
            {listing.is_listed === null && <span className="dim"> {t('listings.byDefault')}</span>}
          </StateText>
        ),
      },
      ...(mayChange
        ? [
            {
              key: 'edit',
              header: common('table.actions'),
              width: '110px',
              align: 'end' as const,
              phone: 'aside' as const,
              cell: ({ instance_id, instance_name }: Listing) => (
                <Button
                  size="xs"
                  variant="default"
                  aria-label={t('listings.editNamed', { name: instance_name })}
                  onClick={() => onOpen(instance_id)}
                >
                  {common('actions.edit')}
                </Button>
              ),
            },
          ]
        : []),
    ],
    [t, common, settings, mayChange, onOpen],
  );
  return (
    <DataTable
      label={t('listings.title')}
      columns={columns}
      groups={[{ key: 'all', name: '', rows: listings }]}
      keyOf={({ instance_id }) => instance_id}
      nameOf={({ instance_name }) => instance_name}
    />
  );
}
