// The entries of a folder, with the selection that actions apply to.
import { Button } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Download, FolderInput, Package, Trash2 } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { useMay } from '../api/may.ts';
import { sorted } from '../shared/data-table/columns.ts';
import { DataTable } from '../shared/data-table/data-table.tsx';
import { useSelection } from '../shared/data-table/selection.ts';
import { SelectionBar } from '../shared/selection-bar.tsx';
import { useTexts } from '../texts/texts.ts';
import type { Asking } from './dialogs/asking.ts';
import { download } from './download.ts';
import { useFileColumns } from './file-columns.tsx';
import { usePlace, type InstanceFile } from './folder.ts';

const route = getRouteApi('/frame/licensed/servers/$instanceId/files');

const keyOf = ({ path }: InstanceFile) => path;
const nameOf = ({ name }: InstanceFile) => name;

/** Most that one archive can be made of. */
const maxPacked = 100;

interface FileTableProps {
  files: readonly InstanceFile[];
  onAsk: (asking: Asking) => void;
}

export function FileTable({ files, onAsk }: FileTableProps) {
  const t = useTexts('files');
  const { sort } = route.useSearch();
  const navigate = route.useNavigate();
  const columns = useFileColumns(onAsk);
  const groups = useMemo(() => {
    const rows = sorted(files, columns, sort);
    // Folders stand first, in either direction.
    const isFolder = ({ kind }: InstanceFile) => kind === 'directory';
    return [
      { key: 'all', name: '', rows: [...rows.filter(isFolder), ...rows.filter((row) => !isFolder(row))] },
    ];
  }, [files, columns, sort]);
  const order = useMemo(() => groups.flatMap(({ rows }) => rows.map(keyOf)), [groups]);
  const selection = useSelection(order);
  const setSort = useCallback(
    (next: string) => void navigate({ search: (former) => ({ ...former, sort: next }), replace: true }),
    [navigate],
  );
  const selected = files.filter(({ path }) => selection.has(path));
  return (
    <>
      <DataTable
        label={t('title')}
        columns={columns}
        groups={groups}
        keyOf={keyOf}
        nameOf={nameOf}
        sort={sort}
        onSort={setSort}
        selection={selection}
      />
      {selected.length > 0 && (
        <SelectedBar files={selected} onAsk={onAsk} onClear={() => selection.set([])} />
      )}
    </>
  );
}

function SelectedBar({ files, onAsk, onClear }: FileTableProps & { onClear: () => void }) {
  const t = useTexts('files');
  const place = usePlace();
  const mayMove = useMay('PATCH /api/instances/{instance_id}/files');
  const mayPack = useMay('POST /api/instances/{instance_id}/files/archives');
  const mayDelete = useMay('DELETE /api/instances/{instance_id}/files');
  const loadable = files.filter(({ kind }) => kind === 'file');
  return (
    <SelectionBar label={t('selection')} count={files.length} onClear={onClear}>
      {loadable.length === files.length && (
        <Button
          variant="default"
          leftSection={<Download size={15} aria-hidden="true" />}
          onClick={() => {
            for (const file of loadable) void download(place, file);
            onClear();
          }}
        >
          {t('actions.download')}
        </Button>
      )}
      {mayMove && (
        <Button
          variant="default"
          leftSection={<FolderInput size={15} aria-hidden="true" />}
          onClick={() => onAsk({ kind: 'move', files })}
        >
          {t('actions.move')}
        </Button>
      )}
      {mayPack && files.length <= maxPacked && (
        <Button
          variant="default"
          leftSection={<Package size={15} aria-hidden="true" />}
          onClick={() => onAsk({ kind: 'archive', files })}
        >
          {t('actions.archive')}
        </Button>
      )}
      {mayDelete && (
        <Button
          variant="default"
          leftSection={<Trash2 size={15} aria-hidden="true" />}
          onClick={() => onAsk({ kind: 'delete', files })}
        >
          {t('actions.delete')}
        </Button>
      )}
    </SelectionBar>
  );
}
