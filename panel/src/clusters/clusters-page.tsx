// The clusters of the license.
import { Button } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Boxes, Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Dialog } from '@gantry/ui/dialog.tsx';
import { useMay } from '../api/may.ts';
import type { Schemas } from '../api/operations.ts';
import { hasCode } from '../api/problem.ts';
import { usePages } from '../api/reading.ts';
import { useWrite } from '../api/writing.ts';
import { sorted, type Column } from '../shared/data-table/columns.ts';
import { DataTable } from '../shared/data-table/data-table.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { Form } from '../shared/form.tsx';
import { useFormats } from '../shared/formats.ts';
import { Loaded } from '../shared/loaded.tsx';
import { Page } from '../shared/page.tsx';
import { TableSkeleton } from '../shared/table-skeleton.tsx';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import { bodyOf, ClusterFields, pointers } from './cluster-fields.tsx';

type Cluster = Schemas['InstanceCluster'];

const route = getRouteApi('/frame/licensed/clusters');

const keyOf = ({ id }: Cluster) => id;
const nameOf = ({ name }: Cluster) => name;

export function ClustersPage() {
  const t = useTexts('clusters');
  const mayCreate = useMay('POST /api/fleet/clusters');
  const { sort } = route.useSearch();
  const navigate = route.useNavigate();
  const clusters = usePages('/api/fleet/clusters', {}, { all: true });
  const columns = useClusterColumns();
  const [isCreating, setIsCreating] = useState(false);
  const add = (
    <Button leftSection={<Plus size={16} aria-hidden="true" />} onClick={() => setIsCreating(true)}>
      {t('add')}
    </Button>
  );
  const isEmpty = clusters.items?.length === 0;
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      {...(mayCreate && !clusters.isPending && !isEmpty && { action: add })}
    >
      <Loaded
        asked={{ ...clusters, data: clusters.items }}
        waitingFor={t('title')}
        skeleton={<TableSkeleton rows={3} />}
      >
        {(items) =>
          items.length === 0 ? (
            <EmptyState icon={Boxes} title={t('empty.title')} {...(mayCreate && { action: add })}>
              {t('empty.detail')}
            </EmptyState>
          ) : (
            <DataTable
              label={t('title')}
              columns={columns}
              groups={[{ key: 'all', name: '', rows: sorted(items, columns, sort) }]}
              keyOf={keyOf}
              nameOf={nameOf}
              sort={sort}
              onSort={(next) => void navigate({ search: { sort: next }, replace: true })}
            />
          )
        }
      </Loaded>
      <CreateDialog isOpen={isCreating} onClose={() => setIsCreating(false)} />
    </Page>
  );
}

function CreateDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const t = useTexts('clusters');
  const navigate = route.useNavigate();
  const [values, setValues] = useState({ name: '', description: '' });
  const create = useWrite('POST /api/fleet/clusters', {
    refreshes: ['/api/fleet/clusters'],
    onDone: ({ id }) => void navigate({ to: '/clusters/$clusterId', params: { clusterId: id } }),
  });
  return (
    <Dialog isOpen={isOpen} title={t('dialog.title')} onClose={onClose}>
      <div className="dialogForm">
        <Form
          submit={t('dialog.create')}
          isPending={create.isPending}
          isDisabled={values.name.trim() === ''}
          error={hasCode(create.error, 'name_taken') ? null : create.error}
          fields={pointers}
          onSubmit={(event) => {
            event.preventDefault();
            create.mutate({ body: bodyOf(values) });
          }}
        >
          <ClusterFields
            values={values}
            error={create.error}
            onChange={(change) => setValues({ ...values, ...change })}
          />
        </Form>
      </div>
    </Dialog>
  );
}

function useClusterColumns(): readonly Column<Cluster>[] {
  const t = useTexts('clusters');
  const formats = useFormats();
  return useMemo(
    () => [
      {
        key: 'name',
        header: t('columns.name'),
        width: 'minmax(160px, 1.5fr)',
        phone: 'title',
        sortBy: ({ name }) => name,
        cell: ({ id, name }) => (
          <Link to="/clusters/$clusterId" params={{ clusterId: id }}>
            {name}
          </Link>
        ),
      },
      {
        key: 'servers',
        header: t('columns.servers'),
        width: '90px',
        align: 'end',
        phone: 'line',
        sortBy: ({ instance_count }) => instance_count,
        cell: ({ instance_count }) => formats.number(instance_count),
      },
      {
        key: 'description',
        header: t('columns.description'),
        width: 'minmax(160px, 2fr)',
        phone: 'line',
        cell: ({ description }) => description ?? '–',
      },
      {
        key: 'created',
        header: t('columns.created'),
        width: '130px',
        phone: 'none',
        sortBy: ({ created_at }) => created_at,
        cell: ({ created_at }) => <Time at={created_at} isFocusable={false} />,
      },
    ],
    [t, formats],
  );
}
