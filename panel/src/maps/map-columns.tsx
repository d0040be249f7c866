// The columns of the library of maps.
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { StateText } from '@gantry/ui/state-text.tsx';
import type { Column } from '../shared/data-table/columns.ts';
import { useFormats } from '../shared/formats.ts';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import { MapMenu } from './map-menu.tsx';
import type { Asking, GameMap } from './maps.ts';

export function useMapColumns(onAsk: (asking: Asking) => void): readonly Column<GameMap>[] {
  const t = useTexts('maps');
  const formats = useFormats();
  return useMemo(
    (): Column<GameMap>[] => [
      {
        key: 'name',
        header: t('columns.name'),
        width: 'minmax(160px, 2fr)',
        phone: 'title',
        sortBy: ({ name }) => name,
        cell: ({ id, name }) => (
          <Link from="/maps" to="." search={(former) => ({ ...former, map: id })}>
            {name}
          </Link>
        ),
      },
      {
        key: 'visibility',
        header: t('visibility.label'),
        width: '110px',
        phone: 'line',
        sortBy: ({ is_public }) => (is_public ? 0 : 1),
        cell: ({ is_public }) => (
          <StateText tone={is_public ? 'good' : 'idle'}>
            {is_public ? t('visibility.public') : t('visibility.private')}
          </StateText>
        ),
      },
      {
        key: 'world',
        header: t('columns.world'),
        width: '100px',
        align: 'end',
        phone: 'line',
        sortBy: ({ world_size }) => world_size,
        cell: ({ world_size }) => t('metres', { value: formats.number(world_size) }),
      },
      {
        key: 'size',
        header: t('columns.size'),
        width: '84px',
        align: 'end',
        phone: 'line',
        sortBy: ({ bytes }) => bytes,
        cell: ({ bytes }) => formats.bytes(bytes),
      },
      {
        key: 'uploader',
        header: t('columns.uploader'),
        width: 'minmax(120px, 1fr)',
        phone: 'none',
        isWide: true,
        sortBy: ({ uploaded_by }) => uploaded_by,
        cell: ({ uploaded_by }) => uploaded_by ?? '–',
      },
      {
        key: 'created',
        header: t('columns.created'),
        width: '130px',
        align: 'end',
        phone: 'line',
        sortBy: ({ created_at }) => created_at,
        cell: ({ created_at }) => <Time at={created_at} isFocusable={false} />,
      },
      {
        key: 'actions',
        header: t('columns.actions'),
        hidesHeader: true,
        width: '40px',
        phone: 'aside',
        cell: (map) => <MapMenu map={map} onAsk={onAsk} />,
      },
    ],
    [t, formats, onAsk],
  );
}
