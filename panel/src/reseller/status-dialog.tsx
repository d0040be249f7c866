// Suspends a license, or resumes it.
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import type { Schemas } from '../api/operations.ts';
import { useWork } from '../api/writing.ts';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { useTexts } from '../texts/texts.ts';
import { hostClient } from './host-client.ts';
import { refreshLicenses } from './reading.ts';

interface StatusDialogProps {
  license: Schemas['ResellerLicense'];
  onClose: () => void;
}

export function StatusDialog({ license, onClose }: StatusDialogProps) {
  const t = useTexts('reseller');
  const isActive = license.status === 'active';
  const change = useWork(
    async (status: 'active' | 'suspended') => {
      const client = hostClient();
      await client.PATCH('/api/host/licenses/{reseller_license_id}', {
        params: { path: { reseller_license_id: license.id } },
        body: { status },
      });
    },
    {
      onDone: () => {
        refreshLicenses();
        onClose();
      },
    },
  );
  const name = license.server_id;
  return (
    <ConfirmDialog
      isOpen
      title={t(isActive ? 'suspend.title' : 'resume.title', { name })}
      action={t(isActive ? 'suspend.action' : 'resume.action')}
      isDangerous={isActive}
      isPending={change.isPending}
      problem={<ProblemAlert error={change.error} />}
      onConfirm={() => change.mutate(isActive ? 'suspended' : 'active')}
      onClose={onClose}
    >
      {t(isActive ? 'suspend.detail' : 'resume.detail', { customer: license.customer_email })}
    </ConfirmDialog>
  );
}
