// Background jobs that gave up or hang: retried after their cause is mended, or deleted.
import { Button, NativeSelect } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { useMemo, useState } from 'react';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import type { Schemas } from '../api/operations.ts';
import { usePages } from '../api/reading.ts';
import { useWrite } from '../api/writing.ts';
import type { Column } from '../shared/data-table/columns.ts';
import { useFormats } from '../shared/formats.ts';
import { Page } from '../shared/page.tsx';
import { PagedTable } from '../shared/paged-table.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { Time } from '../shared/time.tsx';
import { useTexts } from '../texts/texts.ts';
import { everyMs } from './every-ms.ts';
import classes from './admin.module.css';

type Job = Schemas['DeadJob'];

const route = getRouteApi('/frame/platform/jobs');

export function JobsPage() {
  const t = useTexts('admin');
  const common = useTexts('common');
  const formats = useFormats();
  const { status } = route.useSearch();
  const navigate = route.useNavigate();
  const [deleting, setDeleting] = useState<Job | null>(null);
  const jobs = usePages('/api/admin/jobs', { params: { query: { status } } }, { every: everyMs });
  const retry = useWrite('POST /api/admin/jobs/{job_id}/retry', {
    refreshes: ['/api/admin/jobs', '/api/admin/health'],
  });
  const { mutate } = retry;
  const columns = useMemo<readonly Column<Job>[]>(
    () => [
      {
        key: 'task',
        header: t('jobs.task'),
        width: 'minmax(150px, 1fr)',
        phone: 'title',
        cell: ({ id, task }) => (
          <>
            <b>{task}</b> <span className="dim">#{id}</span>
          </>
        ),
      },
      {
        key: 'error',
        header: t('jobs.error'),
        width: 'minmax(180px, 2fr)',
        phone: 'line',
        cell: ({ last_error }) => <span title={last_error ?? ''}>{last_error ?? '–'}</span>,
      },
      {
        key: 'attempts',
        header: t('jobs.attempts'),
        width: '90px',
        align: 'end',
        phone: 'line',
        cell: ({ attempts }) => formats.number(attempts),
      },
      {
        key: 'at',
        header: status === 'dead' ? t('jobs.failed') : t('jobs.held'),
        width: '110px',
        phone: 'line',
        cell: ({ failed_at, held_since }) => <Time at={held_since ?? failed_at} isFocusable={false} />,
      },
      // A worker still holds stuck jobs.
      ...(status === 'stuck'
        ? []
        : [
            {
              key: 'action',
              header: t('actions'),
              width: '180px',
              phone: 'line',
              cell: (job) => (
                <span className={classes.buttons}>
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={t('jobs.retryOne', { id: job.id })}
                    onClick={() => mutate({ params: { path: { job_id: job.id } } })}
                  >
                    {t('jobs.retry')}
                  </Button>
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={t('jobs.deleteOne', { id: job.id })}
                    onClick={() => setDeleting(job)}
                  >
                    {common('actions.delete')}
                  </Button>
                </span>
              ),
            } satisfies Column<Job>,
          ]),
    ],
    [t, common, formats, status, mutate],
  );
  return (
    <Page title={t('jobs.title')} lead={t('jobs.lead')}>
      <div className={classes.filters}>
        <NativeSelect
          aria-label={t('licenses.status')}
          value={status}
          data={[
            { value: 'dead', label: t('jobs.dead') },
            { value: 'stuck', label: t('jobs.stuck') },
          ]}
          onChange={({ currentTarget: { value } }) =>
            void navigate({ search: { status: value as 'dead' | 'stuck' }, replace: true })
          }
        />
      </div>
      <ProblemAlert error={retry.error} />
      <PagedTable
        label={t('jobs.title')}
        pages={jobs}
        columns={columns}
        keyOf={({ id }) => id}
        nameOf={({ task }) => task}
        isFiltered={false}
        empty={{
          icon: CircleCheck,
          title: t(`jobs.empty.${status}`),
          detail: t(`jobs.emptyDetail.${status}`),
        }}
      />
      {deleting !== null && <DeleteDialog job={deleting} onClose={() => setDeleting(null)} />}
    </Page>
  );
}

function DeleteDialog({ job, onClose }: { job: Job; onClose: () => void }) {
  const t = useTexts('admin');
  const common = useTexts('common');
  const remove = useWrite('DELETE /api/admin/jobs/{job_id}', {
    refreshes: ['/api/admin/jobs', '/api/admin/health'],
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      isOpen
      title={t('jobs.deleteTitle', { task: job.task, id: job.id })}
      action={common('actions.delete')}
      isDangerous
      typed={job.task}
      isPending={remove.isPending}
      problem={<ProblemAlert error={remove.error} />}
      onConfirm={() => remove.mutate({ params: { path: { job_id: job.id } } })}
      onClose={onClose}
    >
      <p>{t('jobs.deleteDetail')}</p>
      <p className="mono path">{JSON.stringify(job.payload)}</p>
    </ConfirmDialog>
  );
}
