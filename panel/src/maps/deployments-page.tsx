// The maps on a server: copied there for its next wipe, or on their way.
import { ActionIcon, Button } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Map as MapIcon, Plus, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { Dialog } from '@gantry/ui/dialog.tsx';
import { StateText } from '@gantry/ui/state-text.tsx';
import { useMay } from '../api/may.ts';
import { usePages } from '../api/reading.ts';
import { useWrite } from '../api/writing.ts';
import { useInstance } from '../instance/use-instance.ts';
import type { Column } from '../shared/data-table/columns.ts';
import { DataTable } from '../shared/data-table/data-table.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { LoadMore } from '../shared/load-more.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { TableSkeleton } from '../shared/table-skeleton.tsx';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import { DeployHereForm } from './deploy-form.tsx';
import { DeploymentDetails } from './deployment-details.tsx';
import { deploymentPaths, deploymentTones, type Deployment } from './maps.ts';
import classes from './maps.module.css';

const route = getRouteApi('/frame/licensed/servers/$instanceId/maps');

/** The progress of a download has no event. */
const everyMs = 5_000;

export function DeploymentsPage() {
  const t = useTexts('maps');
  const { instanceId } = route.useParams();
  const { deployment } = route.useSearch();
  const navigate = route.useNavigate();
  const mayDeploy = useMay('POST /api/instances/{instance_id}/map-deployments');
  const [isDeploying, setIsDeploying] = useState(false);
  const [removed, setRemoved] = useState<Deployment | null>(null);
  const asked = usePages(
    '/api/instances/{instance_id}/map-deployments',
    { params: { path: { instance_id: instanceId } } },
    { every: everyMs },
  );
  const deploy = (
    <Button leftSection={<Plus size={16} aria-hidden="true" />} onClick={() => setIsDeploying(true)}>
      {t('deploy.open')}
    </Button>
  );
  return (
    <>
      {mayDeploy && asked.items !== undefined && asked.items.length > 0 && (
        <div className={classes.toolbar}>
          <p className="hint">{t('deploy.keeps')}</p>
          {deploy}
        </div>
      )}
      <Loaded
        asked={{ ...asked, data: asked.items }}
        waitingFor={t('deployments.title')}
        skeleton={<TableSkeleton rows={3} />}
      >
        {(deployments) =>
          deployments.length === 0 ? (
            <EmptyState
              icon={MapIcon}
              title={t('deployments.empty.title')}
              {...(mayDeploy && { action: deploy })}
            >
              {t('deployments.empty.detail')}
            </EmptyState>
          ) : (
            <>
              <DeploymentTable deployments={deployments} onRemove={setRemoved} />
              <LoadMore pages={asked} />
            </>
          )
        }
      </Loaded>
      <Dialog isOpen={isDeploying} title={t('deploy.here')} onClose={() => setIsDeploying(false)}>
        {isDeploying && <DeployHereForm instanceId={instanceId} onClose={() => setIsDeploying(false)} />}
      </Dialog>
      <DeploymentDetails
        instanceId={instanceId}
        deploymentId={deployment}
        onClose={() => void navigate({ search: {}, replace: true })}
      />
      {removed !== null && <RemoveDialog deployment={removed} onClose={() => setRemoved(null)} />}
    </>
  );
}

interface DeploymentTableProps {
  deployments: readonly Deployment[];
  onRemove: (deployment: Deployment) => void;
}

const keyOf = ({ id }: Deployment) => id;
const nameOf = ({ path }: Deployment) => path;

function DeploymentTable({ deployments, onRemove }: DeploymentTableProps) {
  const t = useTexts('maps');
  const mayRemove = useMay('DELETE /api/instances/{instance_id}/map-deployments/{map_deployment_id}');
  const { items: maps } = usePages('/api/maps', {}, { all: true });
  const columns = useMemo((): Column<Deployment>[] => {
    const names = new Map((maps ?? []).map(({ id, name }) => [id, name]));
    return [
      {
        key: 'map',
        header: t('columns.name'),
        width: 'minmax(140px, 1fr)',
        phone: 'title',
        cell: ({ id, instance_id, map_id, path }) => (
          <Link
            to="/servers/$instanceId/maps"
            params={{ instanceId: instance_id }}
            search={{ deployment: id }}
          >
            {names.get(map_id) ?? path}
          </Link>
        ),
      },
      {
        key: 'status',
        header: t('deployments.status'),
        width: '140px',
        phone: 'line',
        cell: ({ status }) => <StateText tone={deploymentTones[status]}>{t(`status.${status}`)}</StateText>,
      },
      {
        key: 'path',
        header: t('deployments.path'),
        width: 'minmax(160px, 2fr)',
        phone: 'none',
        cell: ({ path, error }) => (error === null ? path : error.detail),
      },
      {
        key: 'by',
        header: t('deployments.by'),
        width: 'minmax(120px, 1fr)',
        phone: 'none',
        isWide: true,
        cell: ({ requested_by }) => requested_by ?? '–',
      },
      {
        key: 'created',
        header: t('deployments.created'),
        width: '130px',
        align: 'end',
        phone: 'line',
        cell: ({ created_at }) => <Time at={created_at} isFocusable={false} />,
      },
      {
        key: 'actions',
        header: t('columns.actions'),
        hidesHeader: true,
        width: '40px',
        phone: 'aside',
        cell: (deployment) =>
          mayRemove &&
          deployment.status === 'deployed' && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('remove.open', { path: deployment.path })}
              onClick={() => onRemove(deployment)}
            >
              <Trash2 size={16} />
            </ActionIcon>
          ),
      },
    ];
  }, [t, maps, mayRemove, onRemove]);
  return (
    <DataTable
      label={t('deployments.title')}
      columns={columns}
      groups={[{ key: 'all', name: '', rows: deployments }]}
      keyOf={keyOf}
      nameOf={nameOf}
    />
  );
}

function RemoveDialog({ deployment, onClose }: { deployment: Deployment; onClose: () => void }) {
  const t = useTexts('maps');
  const { data: instance } = useInstance();
  const remove = useWrite('DELETE /api/instances/{instance_id}/map-deployments/{map_deployment_id}', {
    refreshes: deploymentPaths,
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      isOpen
      title={t('remove.title')}
      action={t('remove.action')}
      isDangerous
      isPending={remove.isPending}
      problem={<ProblemAlert error={remove.error} />}
      onConfirm={() =>
        remove.mutate({
          params: { path: { instance_id: deployment.instance_id, map_deployment_id: deployment.id } },
        })
      }
      onClose={onClose}
    >
      {t('remove.detail', { path: deployment.path, server: instance?.name ?? deployment.instance_id })}
    </ConfirmDialog>
  );
}
