// One cluster: its servers, its name, and its end.
import { Button } from '@mantine/core';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { Facts } from '@gantry/ui/facts.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { useMay } from '../api/may.ts';
import type { Schemas } from '../api/operations.ts';
import { hasCode } from '../api/problem.ts';
import { useRead } from '../api/reading.ts';
import { useWrite } from '../api/writing.ts';
import { BackLink } from '../shared/back-link.tsx';
import { Conflict } from '../shared/conflict.tsx';
import { useDraft } from '../shared/draft.ts';
import { Form } from '../shared/form.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { Page } from '../shared/page.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { UnsavedGuard } from '../shared/unsaved-guard.tsx';
import { useTexts } from '../texts/texts.ts';
import { bodyOf, ClusterFields, pointers, type ClusterValues } from './cluster-fields.tsx';
import { ClusterMembers } from './cluster-members.tsx';
import { clusterPaths } from './cluster-paths.ts';

type Cluster = Schemas['InstanceCluster'];

const route = getRouteApi('/frame/licensed/clusters/$clusterId');

export function ClusterPage() {
  const t = useTexts('clusters');
  const { clusterId } = route.useParams();
  const asked = useRead('/api/fleet/clusters/{cluster_id}', {
    params: { path: { cluster_id: clusterId } },
  });
  return (
    <Loaded isPage asked={asked} waitingFor={t('columns.name')}>
      {(cluster) => <Shown cluster={cluster} />}
    </Loaded>
  );
}

function Shown({ cluster }: { cluster: Cluster }) {
  const t = useTexts('clusters');
  const mayChange = useMay('PATCH /api/fleet/clusters/{cluster_id}');
  const mayDelete = useMay('DELETE /api/fleet/clusters/{cluster_id}');
  const [isDeleting, setIsDeleting] = useState(false);
  return (
    <Page
      title={cluster.name}
      {...(cluster.description !== null && { lead: cluster.description })}
      width="narrow"
      above={<BackLink to="/clusters">{t('back')}</BackLink>}
      action={
        <Button
          variant="default"
          renderRoot={(props) => <Link {...props} to="/servers" search={{ cluster: cluster.id }} />}
        >
          {t('detail.show')}
        </Button>
      }
    >
      <ClusterMembers cluster={cluster} />
      <Section title={t('detail.general')}>
        {mayChange ? (
          <GeneralForm cluster={cluster} />
        ) : (
          <Facts
            facts={[
              [t('fields.name'), cluster.name],
              [t('fields.description'), cluster.description],
            ]}
          />
        )}
        {mayDelete && (
          <Button variant="default" mt="lg" onClick={() => setIsDeleting(true)}>
            {t('detail.delete')}
          </Button>
        )}
      </Section>
      <DeleteDialog cluster={cluster} isOpen={isDeleting} onClose={() => setIsDeleting(false)} />
    </Page>
  );
}

const valuesOf = ({ name, description }: Cluster): ClusterValues => ({
  name,
  description: description ?? '',
});

function GeneralForm({ cluster }: { cluster: Cluster }) {
  const t = useTexts('clusters');
  const common = useTexts('common');
  const [isSaved, setIsSaved] = useState(false);
  // A cluster has no entity tag; its own values show whether another user has changed it.
  const current = valuesOf(cluster);
  const draft = useDraft(current, JSON.stringify(current));
  const { values, isDirty } = draft;
  const save = useWrite('PATCH /api/fleet/clusters/{cluster_id}', {
    refreshes: clusterPaths,
    onDone: (stored) => {
      draft.settle(valuesOf(stored), JSON.stringify(valuesOf(stored)));
      setIsSaved(true);
    },
  });
  return (
    <>
      <UnsavedGuard isUnsaved={isDirty} />
      <Form
        submit={common('actions.save')}
        isPending={save.isPending}
        isDisabled={!isDirty || values.name.trim() === '' || draft.theirs !== null}
        error={hasCode(save.error, 'name_taken') ? null : save.error}
        fields={pointers}
        others={
          <>
            {isDirty && (
              <Button variant="default" onClick={draft.reset}>
                {common('actions.discard')}
              </Button>
            )}
            {isSaved && !isDirty && <span role="status">{common('saved')}</span>}
          </>
        }
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate({ params: { path: { cluster_id: cluster.id } }, body: bodyOf(values) });
        }}
      >
        <Conflict
          draft={draft}
          fields={[
            { key: 'name', name: t('fields.name'), show: ({ name }) => name },
            { key: 'description', name: t('fields.description'), show: ({ description }) => description },
          ]}
        />
        <ClusterFields
          values={values}
          error={save.error}
          onChange={(change) => {
            setIsSaved(false);
            draft.set(change);
          }}
        />
      </Form>
    </>
  );
}

interface DeleteDialogProps {
  cluster: Cluster;
  isOpen: boolean;
  onClose: () => void;
}

function DeleteDialog({ cluster: { id, name, instance_count: count }, isOpen, onClose }: DeleteDialogProps) {
  const t = useTexts('clusters');
  const navigate = useNavigate();
  const remove = useWrite('DELETE /api/fleet/clusters/{cluster_id}', {
    refreshes: ['/api/fleet/clusters', '/api/fleet/instances'],
    onDone: () => void navigate({ to: '/clusters', ignoreBlocker: true }),
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={t('detail.deleteTitle', { name })}
      action={t('detail.delete')}
      isDangerous
      isPending={remove.isPending}
      problem={<ProblemAlert error={remove.error} />}
      onConfirm={() => remove.mutate({ params: { path: { cluster_id: id } } })}
      onClose={onClose}
    >
      {t('detail.deleteLead', { count })}
    </ConfirmDialog>
  );
}
