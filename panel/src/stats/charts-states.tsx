// Charts that load, and a period without reports.
import { Skeleton } from '@mantine/core';
import { ChartLine } from 'lucide-react';
import { EmptyState } from '../shared/empty-state.tsx';
import { useTexts } from '../texts/texts.ts';
import classes from './stats.module.css';

export function ChartsSkeleton() {
  return (
    <div className={classes.charts}>
      <Skeleton height={330} />
      <Skeleton height={330} />
    </div>
  );
}

export function NothingRecorded() {
  const t = useTexts('stats');
  return (
    <EmptyState icon={ChartLine} title={t('empty.title')}>
      {t('empty.detail')}
    </EmptyState>
  );
}
