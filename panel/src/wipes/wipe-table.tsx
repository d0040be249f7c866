// The history of wipes.
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { StateText } from '@gantry/ui/state-text.tsx';
import type { Column } from '../shared/data-table/columns.ts';
import { DataTable } from '../shared/data-table/data-table.tsx';
import { useFormats } from '../shared/formats.ts';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import { useMapWords } from './map-words.ts';
import { toneOf, type Wipe } from './wipe-status.ts';

interface WipeTableProps {
  wipes: readonly Wipe[];
  instanceId: string;
}

export function WipeTable({ wipes, instanceId }: WipeTableProps) {
  const t = useTexts('wipes');
  const formats = useFormats();
  const mapWords = useMapWords();
  const columns = useMemo<readonly Column<Wipe>[]>(
    () => [
      {
        key: 'kind',
        header: t('columns.wipe'),
        width: 'minmax(150px, 1fr)',
        phone: 'title',
        cell: ({ id, kind }) => (
          <Link to="/servers/$instanceId/wipes/$wipeId" params={{ instanceId, wipeId: id }}>
            {t(`kinds.${kind}`)}
          </Link>
        ),
      },
      {
        key: 'status',
        header: t('columns.status'),
        width: '175px',
        phone: 'aside',
        cell: ({ status }) => <StateText tone={toneOf(status)}>{t(`status.${status}`)}</StateText>,
      },
      {
        key: 'created',
        header: t('columns.requested'),
        width: '130px',
        phone: 'line',
        cell: ({ created_at }) => <Time at={created_at} isFocusable={false} />,
      },
      {
        key: 'map',
        header: t('columns.map'),
        width: 'minmax(140px, 1fr)',
        phone: 'line',
        cell: (wipe) => mapWords(wipe),
      },
      {
        key: 'deleted',
        header: t('columns.deleted'),
        width: '150px',
        phone: 'line',
        align: 'end',
        cell: ({ file_count, deleted_bytes, status }) =>
          file_count === null || status !== 'completed'
            ? '–'
            : t('deleted', { count: file_count, size: formats.bytes(deleted_bytes ?? 0) }),
      },
      {
        key: 'by',
        header: t('columns.by'),
        width: 'minmax(140px, 1fr)',
        phone: 'none',
        isWide: true,
        cell: ({ requested_by }) => requested_by ?? t('byGantry'),
      },
    ],
    [t, formats, mapWords, instanceId],
  );
  return (
    <DataTable
      label={t('history')}
      columns={columns}
      groups={[{ key: 'all', name: '', rows: wipes }]}
      keyOf={({ id }) => id}
      nameOf={({ kind }) => t(`kinds.${kind}`)}
    />
  );
}
