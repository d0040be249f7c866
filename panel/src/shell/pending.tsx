// Shown while a page loads for the first time, in the shape of most pages.
import { Skeleton } from '@mantine/core';
import { useTexts } from '../texts/texts.ts';
import classes from './pending.module.css';

export function Pending() {
  const t = useTexts('shell');
  return (
    <div className={classes.pending} role="status" aria-label={t('loading')}>
      <Skeleton height={26} width={220} />
      <Skeleton height={44} />
      <Skeleton height={280} />
    </div>
  );
}
