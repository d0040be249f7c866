// Chooses the length of the period, and moves it through time.
import { ActionIcon, Button, NativeSelect } from '@mantine/core';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { serverNow } from '@gantry/ui/server-clock.ts';
import { useFormats } from '../shared/formats.ts';
import { useTexts } from '../texts/texts.ts';
import { ranges, type RangeName, type StatsSearch } from './stats-search.ts';
import classes from './stats.module.css';

interface PeriodPickerProps {
  names: readonly RangeName[];
  range: RangeName;
  /** Milliseconds. */
  from: number;
  to: number;
  isNow: boolean;
  onChange: (change: Partial<StatsSearch>) => void;
}

export function PeriodPicker({ names, range, from, to, isNow, onChange }: PeriodPickerProps) {
  const t = useTexts('stats');
  const formats = useFormats();
  const { ms } = ranges[range];
  const later = to + ms;
  return (
    <div className={classes.period} role="group" aria-label={t('period.label')}>
      <NativeSelect
        aria-label={t('period.length')}
        value={range}
        data={names.map((name) => ({ value: name, label: t(`period.${name}`) }))}
        onChange={(event) => onChange({ range: event.currentTarget.value as RangeName })}
      />
      <ActionIcon
        variant="default"
        size={36}
        aria-label={t('period.earlier')}
        onClick={() => onChange({ to: new Date(from).toISOString() })}
      >
        <ChevronLeft size={17} aria-hidden="true" />
      </ActionIcon>
      <ActionIcon
        variant="default"
        size={36}
        aria-label={t('period.later')}
        disabled={isNow}
        onClick={() => onChange({ to: later >= serverNow() ? '' : new Date(later).toISOString() })}
      >
        <ChevronRight size={17} aria-hidden="true" />
      </ActionIcon>
      {!isNow && (
        <Button variant="default" onClick={() => onChange({ to: '' })}>
          {t('period.now')}
        </Button>
      )}
      <span className={classes.span}>
        {formats.dateTime(from)} – {isNow ? t('period.now') : formats.dateTime(to)}
      </span>
    </div>
  );
}
