// One deployment of a map: where the file is, and the outcome.
import { Alert } from '@mantine/core';
import { Dialog } from '@gantry/ui/dialog.tsx';
import { Facts } from '@gantry/ui/facts.tsx';
import { StateText } from '@gantry/ui/state-text.tsx';
import { useRead } from '../api/reading.ts';
import { useFormats } from '../shared/formats.ts';
import { Loaded } from '../shared/loaded.tsx';
import { useTexts } from '../texts/texts.ts';
import { deploymentTones, type Deployment } from './maps.ts';

interface DeploymentDetailsProps {
  instanceId: string;
  /** Empty while no details are shown. */
  deploymentId: string;
  onClose: () => void;
}

const everyMs = 3_000;

export function DeploymentDetails({ instanceId, deploymentId, onClose }: DeploymentDetailsProps) {
  const t = useTexts('maps');
  const asked = useRead(
    '/api/instances/{instance_id}/map-deployments/{map_deployment_id}',
    { params: { path: { instance_id: instanceId, map_deployment_id: deploymentId } } },
    { enabled: deploymentId !== '', every: everyMs },
  );
  return (
    <Dialog isOpen={deploymentId !== ''} title={t('deployments.details')} size="wide" onClose={onClose}>
      <div className="dialogForm">
        <Loaded asked={asked} waitingFor={t('deployments.details')}>
          {(deployment) => <Known deployment={deployment} />}
        </Loaded>
      </div>
    </Dialog>
  );
}

function Known({ deployment }: { deployment: Deployment }) {
  const t = useTexts('maps');
  const formats = useFormats();
  const { status, path, detail, error, requested_by, created_at, finished_at } = deployment;
  return (
    <div className="stack">
      {error !== null && (
        <Alert color="red" title={t('status.failed')}>
          {error.detail}
        </Alert>
      )}
      <Facts
        facts={[
          [
            t('deployments.status'),
            <StateText key="status" tone={deploymentTones[status]}>
              {t(`status.${status}`)}
            </StateText>,
          ],
          [t('deployments.path'), path],
          [t('deployments.result'), detail],
          [t('deployments.by'), requested_by],
          [t('deployments.created'), formats.dateTime(created_at)],
          [t('deployments.finished'), finished_at === null ? null : formats.dateTime(finished_at)],
        ]}
      />
    </div>
  );
}
