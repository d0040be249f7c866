// A month, with the ones before and after it.
import { ActionIcon } from '@mantine/core';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useTexts } from '../../texts/texts.ts';
import { useFormats } from '../formats.ts';
import { currentMonth, monthPlus } from './months.ts';
import classes from './reseller-bill.module.css';

interface MonthStepperProps {
  month: string;
  /** There is nothing before it. */
  first?: string | undefined;
  onMonth: (month: string) => void;
}

export function MonthStepper({ month, first = '2000-01', onMonth }: MonthStepperProps) {
  const t = useTexts('reseller-bill');
  const formats = useFormats();
  return (
    <div className={classes.stepper} role="group" aria-label={t('month')}>
      <ActionIcon
        variant="default"
        size={34}
        aria-label={t('former')}
        disabled={month <= first}
        onClick={() => onMonth(monthPlus(month, -1))}
      >
        <ChevronLeft size={17} />
      </ActionIcon>
      <span className={classes.month} aria-live="polite">
        {formats.month(month)}
      </span>
      <ActionIcon
        variant="default"
        size={34}
        aria-label={t('next')}
        disabled={month >= currentMonth()}
        onClick={() => onMonth(monthPlus(month, 1))}
      >
        <ChevronRight size={17} />
      </ActionIcon>
    </div>
  );
}
