// A span of time: common ones to choose, and any other in seconds.
import { NativeSelect, NumberInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTexts } from '../texts/texts.ts';
import { useFormats } from './formats.ts';
import classes from './seconds-field.module.css';

interface SecondsFieldProps {
  label: string;
  description?: ReactNode;
  value: number;
  /** The common ones, in seconds. */
  common: readonly number[];
  max: number;
  /** The name of zero. */
  zero: string;
  error?: string | undefined;
  onChange: (seconds: number) => void;
}

const other = 'other';

export function SecondsField(props: SecondsFieldProps) {
  const { label, description, value, common, max, zero, error, onChange } = props;
  const t = useTexts('common');
  const formats = useFormats();
  const [isOther, setIsOther] = useState(!common.includes(value));
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
          setIsOther(currentTarget.value === other);
          if (currentTarget.value !== other) onChange(Number(currentTarget.value));
        }}
      />
      {isOther && (
        <NumberInput
          label={t('seconds.exact')}
          min={0}
          max={max}
          allowDecimal={false}
          value={value}
          error={error}
          onChange={(next) => onChange(Number(next))}
        />
      )}
    </div>
  );
}
