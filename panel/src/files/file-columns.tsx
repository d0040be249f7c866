// The columns of the table of files.
import { Link } from '@tanstack/react-router';
import { CornerUpRight, FileArchive, FileCog, FileText, Folder, type LucideIcon } from 'lucide-react';
import { useMemo } from 'react';
import type { Column } from '../shared/data-table/columns.ts';
import { useFormats } from '../shared/formats.ts';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import type { Asking } from './dialogs/asking.ts';
import { FileMenu } from './file-menu.tsx';
import classes from './files.module.css';
import { usePlace, type InstanceFile } from './folder.ts';
import { isArchive } from './paths.ts';

export function useFileColumns(onAsk: (asking: Asking) => void): readonly Column<InstanceFile>[] {
  const t = useTexts('files');
  const formats = useFormats();
  const { instanceId } = usePlace();
  return useMemo(
    (): Column<InstanceFile>[] => [
      {
        key: 'name',
        header: t('columns.name'),
        width: 'minmax(200px, 3fr)',
        phone: 'title',
        sortBy: ({ name }) => name,
        cell: (file) => <FileName instanceId={instanceId} file={file} />,
      },
      {
        key: 'size',
        header: t('columns.size'),
        width: '90px',
        align: 'end',
        phone: 'line',
        sortBy: ({ size }) => size,
        cell: ({ size, kind }) => (size === null ? t(`kinds.${kind}`) : formats.bytes(size)),
      },
      {
        key: 'modified',
        header: t('columns.modified'),
        width: '150px',
        align: 'end',
        phone: 'line',
        sortBy: ({ modified_at }) => modified_at,
        cell: ({ modified_at }) => <Time at={modified_at} isFocusable={false} />,
      },
      {
        key: 'menu',
        header: t('columns.actions'),
        hidesHeader: true,
        width: '40px',
        phone: 'aside',
        cell: (file) => <FileMenu file={file} onAsk={onAsk} />,
      },
    ],
    [t, formats, instanceId, onAsk],
  );
}

function iconOf({ kind, name }: InstanceFile): LucideIcon {
  if (kind === 'directory') return Folder;
  if (kind === 'symlink') return CornerUpRight;
  if (kind === 'other') return FileCog;
  return isArchive(name) ? FileArchive : FileText;
}

function FileName({ instanceId, file }: { instanceId: string; file: InstanceFile }) {
  const { kind, name, path } = file;
  const Icon = iconOf(file);
  const words = <span className={classes.entryName}>{name}</span>;
  return (
    <span className={classes.entry} data-kind={kind}>
      <Icon size={17} aria-hidden="true" />
      {kind === 'directory' ? (
        <Link to="/servers/$instanceId/files" params={{ instanceId }} search={{ path }}>
          {words}
        </Link>
      ) : kind === 'file' ? (
        <Link to="/servers/$instanceId/files/edit" params={{ instanceId }} search={{ path }}>
          {words}
        </Link>
      ) : (
        words
      )}
    </span>
  );
}
