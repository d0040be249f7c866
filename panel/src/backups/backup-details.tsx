// Everything that is known of one backup; its address can be shared.
import { CopyText } from '@gantry/ui/copy-text.tsx';
import { Dialog } from '@gantry/ui/dialog.tsx';
import { Facts } from '@gantry/ui/facts.tsx';
import { useRead } from '../api/reading.ts';
import { useFormats } from '../shared/formats.ts';
import { Loaded } from '../shared/loaded.tsx';
import { useTexts } from '../texts/texts.ts';
import { useInstanceId, type Backup } from './backups.ts';

interface BackupDetailsProps {
  /** Empty while no details are shown. */
  backupId: string;
  onClose: () => void;
}

export function BackupDetails({ backupId, onClose }: BackupDetailsProps) {
  const t = useTexts('backups');
  const instanceId = useInstanceId();
  const asked = useRead(
    '/api/instances/{instance_id}/backups/{backup_id}',
    { params: { path: { instance_id: instanceId, backup_id: backupId } } },
    { enabled: backupId !== '' },
  );
  return (
    <Dialog isOpen={backupId !== ''} title={t('details.title')} size="wide" onClose={onClose}>
      <div className="dialogForm">
        <Loaded asked={asked} waitingFor={t('details.title')}>
          {(backup) => <Known backup={backup} />}
        </Loaded>
      </div>
    </Dialog>
  );
}

function Known({ backup }: { backup: Backup }) {
  const t = useTexts('backups');
  const formats = useFormats();
  const { is_partial, paths, sha256 } = backup;
  return (
    <div className="stack">
      <Facts
        facts={[
          [t('columns.created'), formats.dateTime(backup.created_at)],
          [t('columns.reason'), t(`kinds.${backup.kind}`)],
          [t('columns.note'), backup.note],
          [t('details.pinned'), backup.is_pinned ? t('details.yes') : t('details.no')],
          [t('columns.size'), formats.bytes(backup.size)],
          [t('details.contentSize'), formats.bytes(backup.content_size)],
          [t('details.files'), formats.number(backup.files)],
          [t('details.changed'), formats.number(backup.changed_files)],
          [t('details.leftOut'), formats.number(backup.left_out)],
          [
            t('columns.content'),
            !is_partial ? t('content.all') : paths === null ? t('content.some') : paths.join(', '),
          ],
          [t('details.sha256'), <code key="sha256">{sha256}</code>],
        ]}
      />
      <div>
        <CopyText text={sha256}>{t('details.copy')}</CopyText>
      </div>
    </div>
  );
}
