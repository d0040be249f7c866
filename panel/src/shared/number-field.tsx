// A field for a number: it keeps what is typed until that is a number, and shows exactly what is stored.
import { TextInput, type TextInputProps } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTexts } from '../texts/texts.ts';
import { faultOfNumber, numberIn, stepped, textFor, type NumberValue } from './number-text.ts';

interface NumberFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'min' | 'max' | 'step'> {
  value: NumberValue;
  onChange: (value: NumberValue) => void;
  isWhole?: boolean;
  /** Whether it may stay empty. */
  isOptional?: boolean;
  /** Limits of the arrow keys; the platform refuses any other number, and the field keeps it. */
  min?: number;
  max?: number;
  step?: number;
  /** Shown after the number. */
  unit?: string | undefined;
  /** Whether a fault is marked only, because it is said somewhere else. */
  isMarkedOnly?: boolean;
}

export function NumberField(props: NumberFieldProps) {
  const {
    value,
    onChange,
    isWhole = false,
    isOptional = false,
    unit,
    isMarkedOnly = false,
    ...others
  } = props;
  const {
    min = Number.NEGATIVE_INFINITY,
    max = Number.POSITIVE_INFINITY,
    step = 1,
    error,
    ...input
  } = others;
  const t = useTexts('common');
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState<string | null>(null);
  const fault = faultOfNumber(value, { isWhole, isOptional });
  const words = fault === null ? '' : t(`numbers.${fault}`);
  useEffect(() => {
    // Forms send nothing while one of their fields says this of itself.
    field.current?.setCustomValidity(words);
  }, [words]);
  return (
    <TextInput
      ref={field}
      inputMode={isWhole && min >= 0 ? 'numeric' : 'decimal'}
      autoComplete="off"
      spellCheck={false}
      {...(unit !== undefined && {
        rightSection: <span className="hint">{unit}</span>,
        rightSectionWidth: `calc(${unit.length}ch + 16px)`,
        rightSectionPointerEvents: 'none',
      })}
      {...input}
      value={textFor(typed, value)}
      error={words === '' ? error : isMarkedOnly || words}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        onChange(numberIn(currentTarget.value));
      }}
      onKeyDown={(event) => {
        const by = { ArrowUp: step, ArrowDown: -step }[event.key];
        if (by === undefined) return;
        event.preventDefault();
        onChange(stepped(value, by, min, max));
      }}
      onBlur={() => setTyped(null)}
    />
  );
}
