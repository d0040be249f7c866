// Suspends licenses, or resumes them.
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { Alert } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Schemas } from '../api/operations.ts';
import { reasonOf } from '../api/problem.ts';
import { inParallel } from '../shared/parallel.ts';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { useTexts } from '../texts/texts.ts';
import { hostClient } from './host-client.ts';
import { refreshLicenses } from './reading.ts';

type License = Schemas['ResellerLicense'];

type Status = 'active' | 'suspended';

interface Refused {
  license: License;
  error: Error;
}

interface StatusDialogProps {
  /** At least one. */
  licenses: readonly License[];
  status: Status;
  /** `isDone` once all of them have the status. */
  onClose: (isDone: boolean) => void;
}

const maxReasons = 5;

export function StatusDialog({ licenses, status, onClose }: StatusDialogProps) {
  const t = useTexts('reseller');
  const verb = status === 'suspended' ? 'suspend' : 'resume';
  const change = useMutation({
    mutationFn: (wanted: readonly License[]) => setStatus(wanted, status),
    onSuccess: (refused) => {
      refreshLicenses();
      if (refused.length === 0) onClose(true);
    },
  });
  const refused = change.data?.map(({ license }) => license);
  const left = change.isPending ? change.variables : (refused ?? licenses);
  const [only] = left;
  const isOne = licenses.length === 1;
  return (
    <ConfirmDialog
      isOpen
      title={
        isOne ? t(`${verb}.title`, { name: only?.server_id }) : t(`${verb}.manyTitle`, { count: left.length })
      }
      action={t(`${verb}.action`)}
      isDangerous={status === 'suspended'}
      isPending={change.isPending}
      problem={change.data !== undefined && <Refusals refusals={change.data} />}
      onConfirm={() => change.mutate(left)}
      onClose={() => onClose(false)}
    >
      {isOne
        ? t(`${verb}.detail`, { customer: only?.customer_email })
        : t(`${verb}.manyDetail`, { count: left.length })}
    </ConfirmDialog>
  );
}

/** Resolves to those whose status is as before. */
async function setStatus(licenses: readonly License[], status: Status): Promise<Refused[]> {
  const client = hostClient();
  const refused: Refused[] = [];
  await inParallel(licenses, async (license) => {
    try {
      await client.PATCH('/api/host/licenses/{reseller_license_id}', {
        params: { path: { reseller_license_id: license.id } },
        body: { status },
      });
    } catch (error) {
      refused.push({ license, error: error as Error });
    }
  });
  return refused;
}

function Refusals({ refusals }: { refusals: readonly Refused[] }) {
  const t = useTexts('reseller');
  const [first] = refusals;
  if (refusals.length < 2) return <ProblemAlert error={first?.error ?? null} />;
  return (
    <Alert color="red" role="alert" title={t('licenses.refused', { count: refusals.length })}>
      <ul>
        {refusals.slice(0, maxReasons).map(({ license, error }) => (
          <li key={license.id}>
            {license.server_id}: {reasonOf(error)}
          </li>
        ))}
      </ul>
    </Alert>
  );
}
