// What can be done with one file or folder.
import { ActionIcon, Menu } from '@mantine/core';
import {
  Download,
  Ellipsis,
  FolderInput,
  Info,
  Package,
  PackageOpen,
  Pencil,
  Trash2,
  type LucideIcon,
} from 'lucide-react';
import { useMay } from '../api/may.ts';
import { useTexts } from '../texts/texts.ts';
import type { Asking } from './dialogs/asking.ts';
import { download } from './download.ts';
import { usePlace, type InstanceFile } from './folder.ts';
import { isArchive } from './paths.ts';

interface FileMenuProps {
  file: InstanceFile;
  onAsk: (asking: Asking) => void;
}

interface Entry {
  name: 'download' | 'properties' | 'rename' | 'move' | 'archive' | 'extract' | 'delete';
  icon: LucideIcon;
  isOffered: boolean;
  onClick: () => void;
}

export function FileMenu({ file, onAsk }: FileMenuProps) {
  const t = useTexts('files');
  const place = usePlace();
  const mayDownload = useMay('GET /api/instances/{instance_id}/files/download');
  const mayRename = useMay('PATCH /api/instances/{instance_id}/files');
  const mayPack = useMay('POST /api/instances/{instance_id}/files/archives');
  const mayExtract = useMay('POST /api/instances/{instance_id}/files/extractions');
  const mayDelete = useMay('DELETE /api/instances/{instance_id}/files');
  const isFile = file.kind === 'file';
  const entries: readonly Entry[] = [
    {
      name: 'download',
      icon: Download,
      isOffered: mayDownload && isFile,
      onClick: () => void download(place, file),
    },
    { name: 'rename', icon: Pencil, isOffered: mayRename, onClick: () => onAsk({ kind: 'rename', file }) },
    {
      name: 'move',
      icon: FolderInput,
      isOffered: mayRename,
      onClick: () => onAsk({ kind: 'move', files: [file] }),
    },
    {
      name: 'extract',
      icon: PackageOpen,
      isOffered: mayExtract && isFile && isArchive(file.name),
      onClick: () => onAsk({ kind: 'extract', file }),
    },
    {
      name: 'archive',
      icon: Package,
      isOffered: mayPack && (isFile || file.kind === 'directory'),
      onClick: () => onAsk({ kind: 'archive', files: [file] }),
    },
    {
      name: 'properties',
      icon: Info,
      isOffered: true,
      onClick: () => onAsk({ kind: 'properties', file }),
    },
  ];
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('actions.menu', { name: file.name })}>
          <Ellipsis size={17} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {entries
          .filter(({ isOffered }) => isOffered)
          .map(({ name, icon: Icon, onClick }) => (
            <Menu.Item key={name} leftSection={<Icon size={16} />} onClick={onClick}>
              {t(`actions.${name}`)}
            </Menu.Item>
          ))}
        {mayDelete && (
          <>
            <Menu.Divider />
            <Menu.Item
              color="red"
              leftSection={<Trash2 size={16} />}
              onClick={() => onAsk({ kind: 'delete', files: [file] })}
            >
              {t('actions.delete')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
