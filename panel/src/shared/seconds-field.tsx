// A span of time: common ones to choose, and any other in seconds.
import { NativeSelect } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTexts } from '../texts/texts.ts';
import { useFormats } from './formats.ts';
import { NumberField } from './number-field.tsx';
import type { NumberValue } from './number-text.ts';
import classes from './seconds-field.module.css';

interface SecondsFieldProps {
  label: string;
  description?: ReactNode;
  value: NumberValue;
  /** The common ones, in seconds. */
  common: readonly number[];
  max: number;
  /** The name of zero. */
  zero: string;
  error?: string | undefined;
  onChange: (seconds: NumberValue) => void;
}

const other = 'other';

export function SecondsField(props: SecondsFieldProps) {
  const { label, description, value, common, max, zero, error, onChange } = props;
  const t = useTexts('common');
  const formats = useFormats();
  const isCommon = (seconds: NumberValue) => typeof seconds === 'number' && common.includes(seconds);
  const [hasChosenOther, setHasChosenOther] = useState(!isCommon(value));
  // A value from elsewhere, as after a conflict, may be none of the common ones.
  const isOther = hasChosenOther || !isCommon(value);
  return (
    <div className={classes.field}>
      <NativeSelect
        label={label}
        description={description}
        value={isOther ? other : String(value)}
        error={isOther ? undefined : error}
        data={[
          ...common.map((seconds) => ({
            value: String(seconds),
            label: seconds === 0 ? zero : formats.duration(seconds),
          })),
          { value: other, label: t('seconds.other') },
        ]}
        onChange={({ currentTarget }) => {
          setHasChosenOther(currentTarget.value === other);
          if (currentTarget.value !== other) onChange(Number(currentTarget.value));
        }}
      />
      {isOther && (
        <NumberField
          label={t('seconds.exact')}
          min={0}
          max={max}
          isWhole
          value={value}
          error={error}
          onChange={onChange}
        />
      )}
    </div>
  );
}
