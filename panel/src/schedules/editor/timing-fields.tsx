// When a schedule runs: a common pattern with its details, or an expression of one's own.
import { Button, Chip, Group, NativeSelect, TextInput } from '@mantine/core';
import { CalendarHeart } from 'lucide-react';
import { NumberField } from '../../shared/number-field.tsx';
import { useTexts } from '../../texts/texts.ts';
import {
  changedTo,
  forcedWipe,
  hourSteps,
  minuteSteps,
  weekdays,
  type Every,
  type Pattern,
  type Weekday,
} from '../cron-pattern.ts';
import classes from '../schedules.module.css';
import { ZoneSelect } from './zone-select.tsx';
import { useWeekdayNames } from './weekday-names.ts';

interface TimingFieldsProps {
  pattern: Pattern;
  timeZone: string;
  set: (change: { pattern?: Pattern; timeZone?: string }) => void;
  cronFault: string | undefined;
  zoneFault: string | undefined;
  /** Offers the first Thursday of the month, when Rust servers have to wipe. */
  offersForcedWipe: boolean;
}

const choices: readonly Every[] = ['minutes', 'hours', 'day', 'week', 'monthWeekday', 'monthDay', 'custom'];

export function TimingFields(props: TimingFieldsProps) {
  const { pattern, timeZone, set, cronFault, zoneFault, offersForcedWipe } = props;
  const t = useTexts('schedules');
  return (
    <div className={classes.fields}>
      {offersForcedWipe && (
        <Group gap="xs">
          <Button
            variant="light"
            leftSection={<CalendarHeart size={15} aria-hidden="true" />}
            onClick={() => set({ ...forcedWipe })}
          >
            {t('timing.forcedWipe')}
          </Button>
          <span className="hint">{t('timing.forcedWipeHint')}</span>
        </Group>
      )}
      <div className={classes.time}>
        <NativeSelect
          label={t('timing.repeats')}
          value={pattern.every}
          data={choices.map((value) => ({ value, label: t(`every.${value}`) }))}
          onChange={({ currentTarget }) => set({ pattern: changedTo(currentTarget.value as Every, pattern) })}
        />
        <PatternFields pattern={pattern} set={(next) => set({ pattern: next })} cronFault={cronFault} />
      </div>
      {pattern.every === 'week' && (
        <DayChips days={pattern.days} onChange={(days) => set({ pattern: { ...pattern, days } })} />
      )}
      {cronFault !== undefined && pattern.every !== 'custom' && (
        <p className={classes.fault} role="alert">
          {cronFault}
        </p>
      )}
      <ZoneSelect value={timeZone} error={zoneFault} onChange={(next) => set({ timeZone: next })} />
    </div>
  );
}

interface PatternFieldsProps {
  pattern: Pattern;
  set: (pattern: Pattern) => void;
  cronFault: string | undefined;
}

function PatternFields({ pattern, set, cronFault }: PatternFieldsProps) {
  const t = useTexts('schedules');
  const days = useWeekdayNames('long');
  switch (pattern.every) {
    case 'minutes':
      return (
        <StepSelect
          label={t('timing.step')}
          name={(count) => t('timing.minutes', { count })}
          steps={minuteSteps}
          value={pattern.step}
          onChange={(step) => set({ ...pattern, step })}
        />
      );
    case 'hours':
      return (
        <>
          <StepSelect
            label={t('timing.step')}
            name={(count) => t('timing.hours', { count })}
            steps={hourSteps}
            value={pattern.step}
            onChange={(step) => set({ ...pattern, step })}
          />
          <NumberField
            label={t('timing.minute')}
            min={0}
            max={59}
            isWhole
            value={pattern.minute}
            onChange={(minute) => set({ ...pattern, minute })}
          />
        </>
      );
    case 'day':
    case 'week':
      return <TimeField value={pattern} onChange={(time) => set({ ...pattern, ...time })} />;
    case 'monthDay':
      return (
        <>
          <NativeSelect
            label={t('timing.day')}
            value={String(pattern.day)}
            data={[
              ...Array.from({ length: 31 }, (_, index) => String(index + 1)),
              { value: 'L', label: t('timing.lastDay') },
            ]}
            onChange={({ currentTarget: { value } }) =>
              set({ ...pattern, day: value === 'L' ? value : Number(value) })
            }
          />
          <TimeField value={pattern} onChange={(time) => set({ ...pattern, ...time })} />
        </>
      );
    case 'monthWeekday':
      return (
        <>
          <NativeSelect
            label={t('timing.which')}
            value={String(pattern.nth)}
            data={([1, 2, 3, 4, 5] as const).map((nth) => ({ value: String(nth), label: t(`nth.${nth}`) }))}
            onChange={({ currentTarget }) => set({ ...pattern, nth: Number(currentTarget.value) })}
          />
          <NativeSelect
            label={t('timing.weekday')}
            value={String(pattern.weekday)}
            data={weekdays.map((day) => ({ value: String(day), label: days[day] ?? '' }))}
            onChange={({ currentTarget }) =>
              set({ ...pattern, weekday: Number(currentTarget.value) as Weekday })
            }
          />
          <TimeField value={pattern} onChange={(time) => set({ ...pattern, ...time })} />
        </>
      );
    case 'custom':
      return (
        <TextInput
          className="grow"
          classNames={{ input: 'mono' }}
          label={t('timing.cron')}
          description={t('timing.cronHint')}
          autoCapitalize="none"
          spellCheck={false}
          maxLength={120}
          value={pattern.cron}
          error={cronFault}
          onChange={({ currentTarget }) => set({ ...pattern, cron: currentTarget.value })}
        />
      );
  }
}

interface StepSelectProps {
  label: string;
  name: (step: number) => string;
  steps: readonly number[];
  value: number;
  onChange: (step: number) => void;
}

const StepSelect = ({ label, name, steps, value, onChange }: StepSelectProps) => (
  <NativeSelect
    label={label}
    value={String(value)}
    data={steps.map((step) => ({ value: String(step), label: name(step) }))}
    onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}
  />
);

interface ClockTime {
  hour: number;
  minute: number;
}

function TimeField({ value, onChange }: { value: ClockTime; onChange: (time: ClockTime) => void }) {
  const t = useTexts('schedules');
  const two = (number: number) => String(number).padStart(2, '0');
  return (
    <TextInput
      type="time"
      label={t('timing.time')}
      value={`${two(value.hour)}:${two(value.minute)}`}
      onChange={({ currentTarget }) => {
        const [hour, minute] = currentTarget.value.split(':').map(Number);
        if (hour !== undefined && minute !== undefined) onChange({ hour, minute });
      }}
    />
  );
}

interface DayChipsProps {
  days: readonly Weekday[];
  onChange: (days: readonly Weekday[]) => void;
}

function DayChips({ days, onChange }: DayChipsProps) {
  const t = useTexts('schedules');
  const names = useWeekdayNames('short');
  return (
    <fieldset className={classes.days}>
      <legend>{t('timing.days')}</legend>
      <div className={classes.dayList}>
        {weekdays.map((day) => (
          <Chip
            variant="light"
            key={day}
            checked={days.includes(day)}
            onChange={(isChosen) =>
              onChange(weekdays.filter((each) => (each === day ? isChosen : days.includes(each))))
            }
          >
            {names[day]}
          </Chip>
        ))}
      </div>
      {days.length === 0 && <p className={classes.fault}>{t('timing.noDay')}</p>}
    </fieldset>
  );
}
