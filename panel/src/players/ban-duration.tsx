// How long a ban lasts: a usual time, a number of units, or until it is lifted.
import { Group, NativeSelect } from '@mantine/core';
import { serverNow } from '@gantry/ui/server-clock.ts';
import { useFormats } from '../shared/formats.ts';
import { NumberField } from '../shared/number-field.tsx';
import type { NumberValue } from '../shared/number-text.ts';
import { useTexts } from '../texts/texts.ts';
import classes from './players.module.css';

const hour = 3_600;
const day = 24 * hour;

const units = { minutes: 60, hours: hour, days: day } as const;

const usual = [hour, day, 3 * day, 7 * day, 30 * day] as const;

export interface Duration {
  /** Seconds as text, `forever` or `other`. */
  choice: string;
  count: NumberValue;
  unit: keyof typeof units;
}

export const defaultDuration: Duration = { choice: String(7 * day), count: 14, unit: 'days' };

/** Null: until it is lifted; not a number until the count is one. */
export function secondsOf({ choice, count, unit }: Duration): number | null {
  if (choice === 'forever') return null;
  if (choice !== 'other') return Number(choice);
  return typeof count === 'number' ? Math.round(count * units[unit]) : Number.NaN;
}

interface BanDurationProps {
  duration: Duration;
  onChange: (duration: Duration) => void;
  fault: string | undefined;
}

export function BanDuration({ duration, onChange, fault }: BanDurationProps) {
  const t = useTexts('players');
  const formats = useFormats();
  const set = (change: Partial<Duration>) => onChange({ ...duration, ...change });
  const seconds = secondsOf(duration);
  const end = seconds === null ? null : new Date(serverNow() + seconds * 1_000);
  return (
    <div className={classes.duration}>
      <NativeSelect
        label={t('duration.label')}
        value={duration.choice}
        data={[
          ...usual.map((each) => ({
            value: String(each),
            label:
              each < day
                ? t('duration.hours', { count: each / hour })
                : t('duration.days', { count: each / day }),
          })),
          { value: 'other', label: t('duration.other') },
          { value: 'forever', label: t('duration.forever') },
        ]}
        description={
          end === null
            ? t('duration.untilLifted')
            : t('duration.until', {
                time: Number.isNaN(end.getTime()) ? '–' : formats.dateTime(end.getTime()),
              })
        }
        error={duration.choice === 'other' ? undefined : fault}
        onChange={(event) => set({ choice: event.currentTarget.value })}
      />
      {duration.choice === 'other' && (
        <Group gap="sm" align="flex-start" wrap="nowrap">
          <NumberField
            label={t('duration.count')}
            value={duration.count}
            min={1}
            isWhole
            error={fault}
            onChange={(count) => set({ count })}
          />
          <NativeSelect
            label={t('duration.unit')}
            value={duration.unit}
            data={(Object.keys(units) as (keyof typeof units)[]).map((unit) => ({
              value: unit,
              label: t(`duration.units.${unit}`),
            }))}
            onChange={(event) => set({ unit: event.currentTarget.value as keyof typeof units })}
          />
        </Group>
      )}
    </div>
  );
}
