// The servers of a file before they are provisioned: the columns, and what the platform would do with each row.
import { Button, NativeSelect, Switch } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Section } from '@gantry/ui/section.tsx';
import { useMemo } from 'react';
import { DataTable } from '../../shared/data-table/data-table.tsx';
import { ProblemAlert } from '../../shared/problem-alert.tsx';
import { UnsavedGuard } from '../../shared/unsaved-guard.tsx';
import { useTexts } from '../../texts/texts.ts';
import classes from '../reseller.module.css';
import { dryRun, type Report, type Server } from './provision-once.ts';
import { provisioning } from './provisioning.ts';
import { useReviewColumns, type ReviewRow } from './review-columns.tsx';
import { columnsOf, fields, isMapped, rowsOf, type ServersFile } from './servers-file.ts';

interface FileReviewProps {
  file: ServersFile;
  onFile: (file: ServersFile) => void;
  onCancel: () => void;
}

type Results = ReadonlyMap<string, Report['results'][number]>;

const noResults: Results = new Map();

async function checked(servers: readonly Server[]): Promise<Results> {
  return new Map((await dryRun(servers)).map((result) => [result.server_id, result]));
}

export function FileReview({ file, onFile, onCancel }: FileReviewProps) {
  const t = useTexts('reseller');
  const check = useMutation({ mutationFn: checked });
  const results = check.data ?? noResults;
  const rows = useMemo(
    () =>
      rowsOf(file)
        .map((row): ReviewRow => ({ ...row, result: resultOf(row, results) }))
        .toSorted((one, other) => rank(one) - rank(other)),
    [file, results],
  );
  const columns = useReviewColumns();
  const sound = rows.filter(({ faults }) => faults.length === 0);
  const ready = sound.filter(({ result }) => result !== undefined && result.outcome !== 'failed');
  const left = rows.length - ready.length;
  const isChecked = check.data !== undefined;
  const change = (next: Partial<ServersFile>) => {
    check.reset();
    onFile({ ...file, ...next });
  };
  return (
    <>
      <UnsavedGuard
        isUnsaved
        words={{ title: t('review.leaveTitle'), detail: t('review.leaveDetail'), leave: t('review.leave') }}
      />
      <Mapping file={file} onChange={change} onCancel={onCancel} />
      <Section
        title={t('review.title', { count: rows.length })}
        lead={t(isChecked ? 'review.checked' : 'review.lead')}
      >
        <ProblemAlert error={check.error} />
        <div className={classes.actions}>
          {isChecked ? (
            <Button
              disabled={ready.length === 0}
              onClick={() => void provisioning.start(ready.map(({ server }) => server))}
            >
              {t('review.provision', { count: ready.length })}
            </Button>
          ) : (
            <Button
              loading={check.isPending}
              disabled={!isMapped(file) || sound.length === 0}
              onClick={() => check.mutate(sound.map(({ server }) => server))}
            >
              {t('review.check')}
            </Button>
          )}
          {!isChecked && (!isMapped(file) || sound.length === 0) && (
            <span className="hint">{t(isMapped(file) ? 'review.noneSound' : 'review.notMapped')}</span>
          )}
          {isChecked && left > 0 && <span className="hint">{t('review.left', { count: left })}</span>}
        </div>
      </Section>
      {isMapped(file) && (
        <DataTable
          label={t('review.rows')}
          columns={columns}
          groups={[{ key: 'all', name: '', rows }]}
          keyOf={({ line }) => String(line)}
          nameOf={({ server }) => server.server_id}
        />
      )}
    </>
  );
}

/** What needs attention stands first. */
const rank = ({ faults, result }: ReviewRow): number =>
  faults.length > 0 || result?.outcome === 'failed' ? 0 : 1;

/** A second row with the same name is a fault of its own, and has no result. */
const resultOf = (row: Omit<ReviewRow, 'result'>, results: Results) =>
  row.faults.length > 0 ? undefined : results.get(row.server.server_id);

interface MappingProps {
  file: ServersFile;
  onChange: (change: Partial<ServersFile>) => void;
  onCancel: () => void;
}

function Mapping({ file, onChange, onCancel }: MappingProps) {
  const t = useTexts('reseller');
  const columns = columnsOf(file, (number) => t('mapping.column', { number }));
  return (
    <Section
      title={file.name}
      lead={t('mapping.lead')}
      aside={
        <Button variant="default" size="xs" onClick={onCancel}>
          {t('mapping.other')}
        </Button>
      }
    >
      <div className="stack">
        <div className="fields">
          {fields.map((field) => (
            <NativeSelect
              key={field}
              label={t(`fields.${field}`)}
              value={String(file.mapping[field] ?? '')}
              error={file.mapping[field] === null && t('mapping.missing')}
              data={[
                { value: '', label: t('mapping.none') },
                ...columns.map((label, index) => ({ value: String(index), label })),
              ]}
              onChange={({ currentTarget: { value } }) =>
                onChange({ mapping: { ...file.mapping, [field]: value === '' ? null : Number(value) } })
              }
            />
          ))}
        </div>
        <Switch
          label={t('mapping.header')}
          checked={file.hasHeader}
          onChange={(event) => onChange({ hasHeader: event.currentTarget.checked })}
        />
      </div>
    </Section>
  );
}
