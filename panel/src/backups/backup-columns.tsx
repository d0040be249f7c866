// The columns of the table of backups.
import { Link } from '@tanstack/react-router';
import { Pin } from 'lucide-react';
import { useMemo } from 'react';
import type { Column } from '../shared/data-table/columns.ts';
import { useFormats } from '../shared/formats.ts';
import { useTexts } from '../texts/texts.ts';
import { BackupMenu } from './backup-menu.tsx';
import classes from './backups.module.css';
import type { Asking, Backup } from './backups.ts';

export function useBackupColumns(onAsk: (asking: Asking) => void): readonly Column<Backup>[] {
  const t = useTexts('backups');
  const formats = useFormats();
  return useMemo(
    (): Column<Backup>[] => [
      {
        key: 'created',
        header: t('columns.created'),
        width: 'minmax(165px, 1fr)',
        phone: 'title',
        sortBy: ({ created_at }) => created_at,
        cell: ({ id, created_at }) => (
          <Link from="/servers/$instanceId/backups" to="." search={(former) => ({ ...former, backup: id })}>
            {formats.dateTime(created_at)}
          </Link>
        ),
      },
      {
        key: 'reason',
        header: t('columns.reason'),
        width: 'minmax(210px, 1.3fr)',
        phone: 'line',
        sortBy: ({ kind }) => kind,
        cell: ({ kind, is_pinned }) => (
          <span className={classes.reason}>
            {t(`kinds.${kind}`)}
            {is_pinned && (
              <span className={classes.pinned}>
                <Pin size={14} aria-hidden="true" />
                {t('pinned')}
              </span>
            )}
          </span>
        ),
      },
      {
        key: 'note',
        header: t('columns.note'),
        width: 'minmax(100px, 1.6fr)',
        phone: 'line',
        sortBy: ({ note }) => note,
        cell: ({ note }) => note ?? '–',
      },
      {
        key: 'content',
        header: t('columns.content'),
        width: 'minmax(110px, 1fr)',
        phone: 'none',
        isWide: true,
        cell: ({ is_partial, paths }) =>
          !is_partial ? t('content.all') : paths === null ? t('content.some') : paths.join(', '),
      },
      {
        key: 'size',
        header: t('columns.size'),
        width: '90px',
        align: 'end',
        phone: 'line',
        sortBy: ({ size }) => size,
        cell: ({ size }) => formats.bytes(size),
      },
      {
        key: 'actions',
        header: t('columns.actions'),
        hidesHeader: true,
        width: '40px',
        phone: 'aside',
        cell: (backup) => <BackupMenu backup={backup} onAsk={onAsk} />,
      },
    ],
    [t, formats, onAsk],
  );
}
