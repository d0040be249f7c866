// What can be done with one backup.
import { ActionIcon, Menu } from '@mantine/core';
import { Download, Ellipsis, History, Pencil, Pin, Trash2 } from 'lucide-react';
import { useMay } from '../api/may.ts';
import { useInstance } from '../instance/use-instance.ts';
import { useFormats } from '../shared/formats.ts';
import { useTexts } from '../texts/texts.ts';
import { useInstanceId, type Asking, type Backup } from './backups.ts';
import { downloadBackup } from './download-backup.ts';

interface BackupMenuProps {
  backup: Backup;
  onAsk: (asking: Asking) => void;
}

export function BackupMenu({ backup, onAsk }: BackupMenuProps) {
  const t = useTexts('backups');
  const formats = useFormats();
  const instanceId = useInstanceId();
  const { data: instance } = useInstance();
  const mayRestore = useMay('POST /api/instances/{instance_id}/backups/{backup_id}/restore');
  const mayDownload = useMay('GET /api/instances/{instance_id}/backups/{backup_id}/download');
  const mayChange = useMay('PATCH /api/instances/{instance_id}/backups/{backup_id}');
  const mayDelete = useMay('DELETE /api/instances/{instance_id}/backups/{backup_id}');
  if (!mayRestore && !mayDownload && !mayChange && !mayDelete) return null;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('actions.menu', { time: formats.dateTime(backup.created_at) })}
        >
          <Ellipsis size={17} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {mayRestore && (
          <Menu.Item leftSection={<History size={16} />} onClick={() => onAsk({ kind: 'restore', backup })}>
            {t('actions.restore')}
          </Menu.Item>
        )}
        {mayDownload && (
          <Menu.Item
            leftSection={<Download size={16} />}
            onClick={() => void downloadBackup(backup, instanceId, instance?.name ?? '')}
          >
            {t('actions.download')}
          </Menu.Item>
        )}
        {mayChange && (
          <>
            <Menu.Item leftSection={<Pin size={16} />} onClick={() => onAsk({ kind: 'pin', backup })}>
              {backup.is_pinned ? t('actions.unpin') : t('actions.pin')}
            </Menu.Item>
            <Menu.Item leftSection={<Pencil size={16} />} onClick={() => onAsk({ kind: 'note', backup })}>
              {t('actions.note')}
            </Menu.Item>
          </>
        )}
        {mayDelete && !backup.is_pinned && (
          <>
            <Menu.Divider />
            <Menu.Item
              color="red"
              leftSection={<Trash2 size={16} />}
              onClick={() => onAsk({ kind: 'delete', backup })}
            >
              {t('actions.delete')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
