// The players of each wipe, and how many of them came back: darker where more did.
import { Table } from '@mantine/core';
import { ScrollingTable } from '@gantry/ui/scrolling-table.tsx';
import { Section } from '@gantry/ui/section.tsx';
import type { Schemas } from '../api/operations.ts';
import { useFormats } from '../shared/formats.ts';
import { useTexts } from '../texts/texts.ts';
import classes from './analytics.module.css';

interface CohortsProps {
  wipes: readonly Schemas['WipeRetention'][];
  comparison: readonly Schemas['RetentionComparison'][];
}

export function Cohorts({ wipes, comparison }: CohortsProps) {
  const t = useTexts('analytics');
  const formats = useFormats();
  return (
    <Section title={t('cohorts.title')} lead={t('cohorts.lead')}>
      <ScrollingTable label={t('cohorts.title')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('retention.wipe')}</Table.Th>
            <Table.Th scope="col">{t('cohorts.kind')}</Table.Th>
            <Table.Th scope="col" className={classes.right ?? ''}>
              {t('retention.cohort')}
            </Table.Th>
            {comparison.map(({ after_hours: hours }) => (
              <Table.Th key={hours} scope="col" className={classes.right ?? ''}>
                {t('retention.after', { hours })}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {wipes.map(({ wipe_id, instance_name, kind, wiped_at, cohort_players, points }) => (
            <Table.Tr key={wipe_id}>
              <Table.Th scope="row" className="nowrap">
                {instance_name} <span className="dim">{formats.dateTime(wiped_at)}</span>
              </Table.Th>
              <Table.Td>{t(`wipeKinds.${kind}`)}</Table.Td>
              <Table.Td className={classes.right ?? ''}>{formats.number(cohort_players)}</Table.Td>
              {points.map((point) => (
                <Cell
                  key={point.after_hours}
                  point={point}
                  mark={markOf(
                    wipe_id,
                    comparison.find(({ after_hours }) => after_hours === point.after_hours),
                  )}
                />
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </ScrollingTable>
    </Section>
  );
}

type Mark = 'best' | 'worst' | null;

function markOf(wipeId: string, comparison: Schemas['RetentionComparison'] | undefined): Mark {
  // With one wipe there is nothing to compare.
  if (comparison === undefined || comparison.wipes < 2) return null;
  if (comparison.best_wipe_id === wipeId) return 'best';
  return comparison.worst_wipe_id === wipeId ? 'worst' : null;
}

function Cell({
  point: { percent, players, is_final },
  mark,
}: {
  point: Schemas['RetentionPoint'];
  mark: Mark;
}) {
  const t = useTexts('analytics');
  const formats = useFormats();
  if (percent === null || players === null) return <Table.Td className={classes.right ?? ''}>–</Table.Td>;
  return (
    <Table.Td className={classes.cohort ?? ''} style={{ '--share': `${Math.round(percent * 0.45)}%` }}>
      <strong>{formats.percent(percent)}</strong>{' '}
      <span className={classes.players}>{t('cohorts.players', { count: players })}</span>
      {mark !== null && <span className={classes.mark}>{t(`cohorts.${mark}`)}</span>}
      {!is_final && <span className={classes.mark}>{t('cohorts.soFar')}</span>}
    </Table.Td>
  );
}
