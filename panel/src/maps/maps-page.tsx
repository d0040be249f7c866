// The library of maps: uploaded once, deployed to any server.
import { FileButton } from '@gantry/ui/file-button.tsx';
import { NativeSelect } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Map as MapIcon, SearchX, Upload } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { useMay } from '../api/may.ts';
import { usePages } from '../api/reading.ts';
import { sorted } from '../shared/data-table/columns.ts';
import { DataTable } from '../shared/data-table/data-table.tsx';
import { DropZone } from '../shared/drop-zone.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { FilterBar } from '../shared/filter-bar.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { Page } from '../shared/page.tsx';
import { TableSkeleton } from '../shared/table-skeleton.tsx';
import { useTexts } from '../texts/texts.ts';
import { useMapColumns } from './map-columns.tsx';
import { MapDetails } from './map-details.tsx';
import { MapDialogs } from './map-dialogs.tsx';
import type { Asking, GameMap } from './maps.ts';

const route = getRouteApi('/frame/licensed/maps');

export function MapsPage() {
  const t = useTexts('maps');
  const { search, visibility, map } = route.useSearch();
  const navigate = route.useNavigate();
  const mayUpload = useMay('POST /api/maps');
  const [asking, setAsking] = useState<Asking | null>(null);
  const query = {
    ...(search.trim() !== '' && { q: search.trim() }),
    ...(visibility !== '' && { is_public: visibility === 'public' }),
  };
  const maps = usePages('/api/maps', { params: { query } }, { all: true, keepsFormer: true });
  const isFiltered = search !== '' || visibility !== '';
  const isEmpty = maps.items?.length === 0 && !isFiltered;
  const upload = (
    <FileButton
      accept=".map"
      leftSection={<Upload size={16} aria-hidden="true" />}
      onChoose={([file]) => file !== undefined && setAsking({ kind: 'upload', file })}
    >
      {t('upload.open')}
    </FileButton>
  );
  const setSearch = useCallback(
    (next: string) => void navigate({ search: (former) => ({ ...former, search: next }), replace: true }),
    [navigate],
  );
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      {...(mayUpload && !maps.isPending && !isEmpty && { action: upload })}
    >
      <DropZone
        isEnabled={mayUpload}
        label={t('drop')}
        onFiles={([first]) => {
          if (first !== undefined) setAsking({ kind: 'upload', file: first.file });
        }}
      >
        {!isEmpty && (
          <FilterBar
            search={search}
            onSearch={setSearch}
            placeholder={t('search')}
            count={t('count', { count: maps.items?.length ?? 0 })}
          >
            <NativeSelect
              aria-label={t('visibility.label')}
              value={visibility}
              data={[
                { value: '', label: t('visibility.any') },
                { value: 'public', label: t('visibility.public') },
                { value: 'private', label: t('visibility.private') },
              ]}
              onChange={(event) => {
                const value = event.currentTarget.value as typeof visibility;
                void navigate({ search: (former) => ({ ...former, visibility: value }), replace: true });
              }}
            />
          </FilterBar>
        )}
        <Loaded
          asked={{ ...maps, data: maps.items }}
          waitingFor={t('title')}
          skeleton={<TableSkeleton rows={4} />}
        >
          {(items) =>
            isEmpty ? (
              <EmptyState icon={MapIcon} title={t('empty.title')} {...(mayUpload && { action: upload })}>
                {t('empty.detail')}
              </EmptyState>
            ) : items.length === 0 ? (
              <EmptyState icon={SearchX} title={t('noMatch.title')}>
                {t('noMatch.detail')}
              </EmptyState>
            ) : (
              <MapTable maps={items} onAsk={setAsking} />
            )
          }
        </Loaded>
      </DropZone>
      <MapDetails
        mapId={map}
        onClose={() => void navigate({ search: (former) => ({ ...former, map: '' }), replace: true })}
      />
      <MapDialogs asking={asking} onClose={() => setAsking(null)} />
    </Page>
  );
}

const keyOf = ({ id }: GameMap) => id;
const nameOf = ({ name }: GameMap) => name;

function MapTable({ maps, onAsk }: { maps: readonly GameMap[]; onAsk: (asking: Asking) => void }) {
  const t = useTexts('maps');
  const { sort } = route.useSearch();
  const navigate = route.useNavigate();
  const columns = useMapColumns(onAsk);
  const groups = useMemo(
    () => [{ key: 'all', name: '', rows: sorted(maps, columns, sort) }],
    [maps, columns, sort],
  );
  return (
    <DataTable
      label={t('title')}
      columns={columns}
      groups={groups}
      keyOf={keyOf}
      nameOf={nameOf}
      sort={sort}
      onSort={(next) => void navigate({ search: (former) => ({ ...former, sort: next }), replace: true })}
    />
  );
}
