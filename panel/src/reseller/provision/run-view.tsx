// A provisioning under way, or done: its progress, and what came of each server.
import { Alert, Button, Progress } from '@mantine/core';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { Dialog } from '@gantry/ui/dialog.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { useState } from 'react';
import { DataTable } from '../../shared/data-table/data-table.tsx';
import { ProblemAlert } from '../../shared/problem-alert.tsx';
import { saveCsv } from '../../shared/save-csv.ts';
import { useTexts } from '../../texts/texts.ts';
import { LicenseAccess } from '../license-access.tsx';
import classes from '../reseller.module.css';
import type { License } from './provision-once.ts';
import { provisioning, useProvisioning, type Run, type RunRow } from './provisioning.ts';
import { resultRows } from './result-rows.ts';
import { useRunColumns } from './run-columns.tsx';

const outcomes = ['created', 'existing', 'failed'] as const;

const rank = ({ outcome }: RunRow): number => (outcome === 'failed' ? 0 : 1);

export function RunView({ run }: { run: Run }) {
  const t = useTexts('reseller');
  const { licenses, isRunning, error } = useProvisioning();
  const [shown, setShown] = useState<{ name: string; license: License } | null>(null);
  const columns = useRunColumns(licenses, (name, license) => setShown({ name, license }));
  const count = (outcome: (typeof outcomes)[number] | null) =>
    run.rows.filter((row) => row.outcome === outcome).length;
  const waiting = count(null);
  const done = run.rows.length - waiting;
  const failedFirst = run.rows.toSorted((one, other) => rank(one) - rank(other));
  const [only] = run.rows;
  const single = run.rows.length === 1 && only !== undefined ? licenses.get(only.server_id) : undefined;
  return (
    <>
      <Section title={t(waiting > 0 ? 'run.title' : 'run.done', { count: run.rows.length })}>
        <div className="stack">
          <Progress
            value={(100 * done) / run.rows.length}
            aria-label={t('run.progress')}
            animated={isRunning}
          />
          <p className={classes.counts} role="status">
            {outcomes.map((outcome) => (
              <span key={outcome}>{t(`run.counts.${outcome}`, { count: count(outcome) })}</span>
            ))}
            {waiting > 0 && <span>{t('run.counts.waiting', { count: waiting })}</span>}
          </p>
          <ProblemAlert error={error} />
          {waiting > 0 && !isRunning && (
            <Alert color="yellow" role="alert">
              {t('run.interrupted')}
            </Alert>
          )}
          <Actions run={run} waiting={waiting} failed={count('failed')} />
        </div>
      </Section>
      {single !== undefined && only !== undefined ? (
        <Section title={only.server_id} lead={t('access.lead')}>
          <LicenseAccess license={single} />
        </Section>
      ) : (
        <DataTable
          label={t('run.servers')}
          columns={columns}
          groups={[{ key: 'all', name: '', rows: failedFirst }]}
          keyOf={({ server_id }) => server_id}
          nameOf={({ server_id }) => server_id}
        />
      )}
      <Dialog isOpen={shown !== null} size="wide" title={shown?.name ?? ''} onClose={() => setShown(null)}>
        {shown !== null && (
          <div className="dialogForm">
            <LicenseAccess license={shown.license} />
          </div>
        )}
      </Dialog>
    </>
  );
}

interface ActionsProps {
  run: Run;
  waiting: number;
  failed: number;
}

function Actions({ run, waiting, failed }: ActionsProps) {
  const t = useTexts('reseller');
  const { licenses, isRunning } = useProvisioning();
  const [isLeaving, setIsLeaving] = useState(false);
  const provisioned = run.rows.filter(({ outcome }) => outcome === 'created' || outcome === 'existing');
  const isRecallable = provisioned.some(({ server_id }) => !licenses.has(server_id));
  return (
    <div className={classes.actions}>
      {waiting > 0 && (
        <Button loading={isRunning} onClick={() => void provisioning.proceed()}>
          {t('run.continue')}
        </Button>
      )}
      {waiting === 0 && (
        <Button onClick={() => (failed > 0 ? setIsLeaving(true) : provisioning.forget())}>
          {t('run.more')}
        </Button>
      )}
      {waiting === 0 && failed > 0 && (
        <Button variant="default" loading={isRunning} onClick={() => void provisioning.retryFailed()}>
          {t('run.retry', { count: failed })}
        </Button>
      )}
      {waiting === 0 && isRecallable && (
        <Button variant="default" loading={isRunning} onClick={() => void provisioning.recall()}>
          {t('run.recall')}
        </Button>
      )}
      {waiting === 0 && (
        <Button
          variant="default"
          disabled={isRecallable}
          onClick={() => saveCsv('licenses.csv', resultRows(run, licenses))}
        >
          {t('run.csv')}
        </Button>
      )}
      <ConfirmDialog
        isOpen={isLeaving}
        title={t('run.leaveTitle', { count: failed })}
        action={t('run.more')}
        onConfirm={() => provisioning.forget()}
        onClose={() => setIsLeaving(false)}
      >
        {t('run.leaveDetail')}
      </ConfirmDialog>
    </div>
  );
}
