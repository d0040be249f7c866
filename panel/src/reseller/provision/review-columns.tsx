// What is shown of each row of a file before it is provisioned.
import { StateText } from '@gantry/ui/state-text.tsx';
import { useMemo } from 'react';
import type { Column } from '../../shared/data-table/columns.ts';
import { useFormats } from '../../shared/formats.ts';
import { useTexts } from '../../texts/texts.ts';
import classes from '../reseller.module.css';
import type { Report } from './provision-once.ts';
import type { FileRow } from './servers-file.ts';

export interface ReviewRow extends FileRow {
  /** What the platform would do; undefined until it was asked. */
  result: Report['results'][number] | undefined;
}

export function useReviewColumns(): readonly Column<ReviewRow>[] {
  const t = useTexts('reseller');
  const formats = useFormats();
  return useMemo(
    () => [
      {
        key: 'line',
        header: t('columns.line'),
        width: '64px',
        phone: 'aside',
        cell: ({ line }) => <span className="dim">{formats.number(line)}</span>,
      },
      {
        key: 'server',
        header: t('columns.server'),
        width: 'minmax(110px, 1fr)',
        phone: 'title',
        cell: ({ server }) => <b>{server.server_id}</b>,
      },
      {
        key: 'hostname',
        header: t('columns.hostname'),
        width: 'minmax(130px, 1.2fr)',
        phone: 'line',
        cell: ({ server }) => server.hostname,
      },
      {
        key: 'customer',
        header: t('columns.customer'),
        width: 'minmax(130px, 1.2fr)',
        phone: 'line',
        cell: ({ server }) => server.customer_email,
      },
      {
        key: 'outcome',
        header: t('columns.outcome'),
        width: 'minmax(200px, 1.8fr)',
        phone: 'line',
        cell: (row) => <Verdict row={row} />,
      },
    ],
    [t, formats],
  );
}

function Verdict({ row: { faults, result } }: { row: ReviewRow }) {
  const t = useTexts('reseller');
  if (faults.length > 0)
    return (
      <span className={classes.outcome}>
        <StateText tone="bad">{t('outcomes.invalid')}</StateText>
        <span className="dim">{faults.map((fault) => t(`faults.${fault}`)).join(' ')}</span>
      </span>
    );
  if (result === undefined) return <span className="dim">{t('outcomes.unchecked')}</span>;
  if (result.outcome === 'failed')
    return (
      <span className={classes.outcome}>
        <StateText tone="bad">{t('outcomes.wouldFail')}</StateText>
        <span className="dim">{result.problem?.detail}</span>
      </span>
    );
  return result.outcome === 'created' ? (
    <StateText tone="good">{t('outcomes.wouldBeCreated')}</StateText>
  ) : (
    <StateText tone="idle">{t('outcomes.existing')}</StateText>
  );
}
