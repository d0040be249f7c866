// Replaces a reseller's key, and refuses or accepts it.
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import type { Schemas } from '../../api/operations.ts';
import { useWrite } from '../../api/writing.ts';
import { ProblemAlert } from '../../shared/problem-alert.tsx';
import { useTexts } from '../../texts/texts.ts';
import { resellerPaths } from './use-reseller.ts';

interface ResellerDialogProps {
  reseller: Schemas['Reseller'];
  isOpen: boolean;
  onClose: () => void;
}

interface RotateKeyDialogProps extends ResellerDialogProps {
  onRotated: (reseller: Schemas['CreatedReseller']) => void;
}

export function RotateKeyDialog({ reseller, isOpen, onRotated, onClose }: RotateKeyDialogProps) {
  const t = useTexts('admin-resellers');
  const rotate = useWrite('POST /api/admin/resellers/{reseller_id}/rotate-key', {
    refreshes: resellerPaths,
    onDone: (keyed) => {
      onRotated(keyed);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={t('rotate.title', { name: reseller.name })}
      action={t('rotate.action')}
      isDangerous
      typed={reseller.name}
      isPending={rotate.isPending}
      problem={<ProblemAlert error={rotate.error} />}
      onConfirm={() => rotate.mutate({ params: { path: { reseller_id: reseller.id } } })}
      onClose={onClose}
    >
      {t('rotate.detail', { identifier: reseller.key_identifier })}
    </ConfirmDialog>
  );
}

export function StatusDialog({ reseller, isOpen, onClose }: ResellerDialogProps) {
  const t = useTexts('admin-resellers');
  const isActive = reseller.status === 'active';
  const change = useWrite('PATCH /api/admin/resellers/{reseller_id}', {
    refreshes: resellerPaths,
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={t(isActive ? 'disable.title' : 'enable.title', { name: reseller.name })}
      action={t(isActive ? 'disable.action' : 'enable.action')}
      isDangerous={isActive}
      isPending={change.isPending}
      problem={<ProblemAlert error={change.error} />}
      onConfirm={() =>
        change.mutate({
          params: { path: { reseller_id: reseller.id } },
          body: { status: isActive ? 'disabled' : 'active' },
        })
      }
      onClose={onClose}
    >
      {isActive ? t('disable.detail', { count: reseller.license_count }) : t('enable.detail')}
    </ConfirmDialog>
  );
}
