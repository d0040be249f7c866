// The backups of a server: what can be restored, and how many are kept.
import { Button, NativeSelect } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Archive, Plus, SearchX } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { useMay } from '../api/may.ts';
import { usePages } from '../api/reading.ts';
import { sorted } from '../shared/data-table/columns.ts';
import { DataTable } from '../shared/data-table/data-table.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { useFormats } from '../shared/formats.ts';
import { Loaded } from '../shared/loaded.tsx';
import { TableSkeleton } from '../shared/table-skeleton.tsx';
import { useTexts } from '../texts/texts.ts';
import { useBackupColumns } from './backup-columns.tsx';
import { BackupDetails } from './backup-details.tsx';
import { BackupDialogs } from './backup-dialogs.tsx';
import classes from './backups.module.css';
import { useInstanceId, type Asking, type Backup } from './backups.ts';
import { kinds } from './kinds.ts';
import { PolicySection } from './policy-section.tsx';

const route = getRouteApi('/frame/licensed/servers/$instanceId/backups');

export function BackupsPage() {
  const t = useTexts('backups');
  const instanceId = useInstanceId();
  const { kind, backup } = route.useSearch();
  const navigate = route.useNavigate();
  const mayCreate = useMay('POST /api/instances/{instance_id}/backups');
  const [asking, setAsking] = useState<Asking | null>(null);
  const asked = usePages(
    '/api/instances/{instance_id}/backups',
    { params: { path: { instance_id: instanceId }, query: kind === '' ? {} : { kind } } },
    { all: true, keepsFormer: true },
  );
  const create = (
    <Button leftSection={<Plus size={16} aria-hidden="true" />} onClick={() => setAsking({ kind: 'create' })}>
      {t('create.open')}
    </Button>
  );
  const isEmpty = asked.items?.length === 0 && kind === '';
  const close = useCallback(
    () => void navigate({ search: (former) => ({ ...former, backup: '' }), replace: true }),
    [navigate],
  );
  return (
    <>
      {!isEmpty && (
        <div className={classes.toolbar}>
          <NativeSelect
            aria-label={t('filter.label')}
            value={kind}
            data={[
              { value: '', label: t('filter.any') },
              ...kinds.map((value) => ({ value, label: t(`kinds.${value}`) })),
            ]}
            onChange={(event) => {
              const value = event.currentTarget.value as typeof kind;
              void navigate({ search: (former) => ({ ...former, kind: value }), replace: true });
            }}
          />
          {asked.items !== undefined && <Total backups={asked.items} />}
          {mayCreate && !asked.isPending && create}
        </div>
      )}
      <Loaded
        asked={{ ...asked, data: asked.items }}
        waitingFor={t('title')}
        skeleton={<TableSkeleton rows={4} />}
      >
        {(backups) =>
          backups.length === 0 ? (
            isEmpty ? (
              <EmptyState icon={Archive} title={t('empty.title')} {...(mayCreate && { action: create })}>
                {t('empty.detail')}
              </EmptyState>
            ) : (
              <EmptyState icon={SearchX} title={t('noMatch.title')}>
                {t('noMatch.detail')}
              </EmptyState>
            )
          ) : (
            <BackupTable backups={backups} onAsk={setAsking} />
          )
        }
      </Loaded>
      <PolicySection />
      <BackupDetails backupId={backup} onClose={close} />
      <BackupDialogs asking={asking} onClose={() => setAsking(null)} />
    </>
  );
}

function Total({ backups }: { backups: readonly Backup[] }) {
  const t = useTexts('backups');
  const formats = useFormats();
  const bytes = backups.reduce((sum, { size }) => sum + size, 0);
  return (
    <span role="status" className={classes.total}>
      {t('total', { count: backups.length, size: formats.bytes(bytes) })}
    </span>
  );
}

const keyOf = ({ id }: Backup) => id;

interface BackupTableProps {
  backups: readonly Backup[];
  onAsk: (asking: Asking) => void;
}

function BackupTable({ backups, onAsk }: BackupTableProps) {
  const t = useTexts('backups');
  const formats = useFormats();
  const { sort } = route.useSearch();
  const navigate = route.useNavigate();
  const columns = useBackupColumns(onAsk);
  const groups = useMemo(
    () => [{ key: 'all', name: '', rows: sorted(backups, columns, sort) }],
    [backups, columns, sort],
  );
  return (
    <DataTable
      label={t('title')}
      columns={columns}
      groups={groups}
      keyOf={keyOf}
      nameOf={({ created_at }) => formats.dateTime(created_at)}
      sort={sort}
      onSort={(next) => void navigate({ search: (former) => ({ ...former, sort: next }), replace: true })}
    />
  );
}
