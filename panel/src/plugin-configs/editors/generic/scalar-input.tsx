// The control for one plain value, empty while the server keeps its own.
import { NativeSelect, NumberInput, Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../../../texts/texts.ts';
import { textOf, type Json } from '../../schema/data.ts';
import { formOf, isInteger, isNullable, type Schema } from '../../schema/schema.ts';

export interface ScalarInputProps {
  schema: Schema;
  value: Json | undefined;
  onChange: (value: Json | undefined) => void;
  isRequired: boolean;
  isReadOnly: boolean;
  /** The accessible name; without it, `id` belongs to a label. */
  label?: string;
  id?: string;
  describedBy?: string;
  error?: ReactNode;
  unit?: string;
  /** What is shown while it is not set, where there is no room for the plugin's default. */
  placeholder?: string;
}

export function ScalarInput(props: ScalarInputProps) {
  const {
    schema,
    value,
    onChange,
    isRequired,
    isReadOnly,
    label,
    id,
    describedBy,
    error,
    unit,
    placeholder,
  } = props;
  const t = useTexts('plugin-configs');
  const common = {
    ...(id !== undefined && { id }),
    ...(label !== undefined && { 'aria-label': label }),
    ...(describedBy !== undefined && { 'aria-describedby': describedBy }),
    disabled: isReadOnly,
    error,
    size: 'sm',
  } as const;
  const unset =
    placeholder ?? (schema.default === undefined ? t('field.unchanged') : defaultText(schema.default, t));
  switch (formOf(schema)) {
    case 'switch':
      if (isRequired)
        return (
          <Switch
            {...common}
            checked={value === true}
            onChange={(event) => onChange(event.currentTarget.checked)}
          />
        );
      return (
        <NativeSelect
          {...common}
          value={value === undefined ? '' : textOf(value)}
          data={[
            { value: '', label: unset },
            { value: 'true', label: t('field.on') },
            { value: 'false', label: t('field.off') },
          ]}
          onChange={(event) => {
            const { value: chosen } = event.currentTarget;
            onChange(chosen === '' ? undefined : chosen === 'true');
          }}
        />
      );
    case 'choice':
      return (
        <NativeSelect
          {...common}
          value={typeof value === 'string' ? value : ''}
          data={[...(isRequired ? [] : [{ value: '', label: unset }]), ...(schema.enum ?? [])]}
          onChange={(event) => {
            const { value: chosen } = event.currentTarget;
            onChange(chosen === '' ? undefined : chosen);
          }}
        />
      );
    case 'number':
      return (
        <NumberInput
          {...common}
          value={typeof value === 'number' ? value : ''}
          placeholder={unset}
          hideControls
          allowDecimal={!isInteger(schema)}
          allowNegative={(schema.minimum ?? -1) < 0}
          allowedDecimalSeparators={['.', ',']}
          clampBehavior="none"
          {...(unit !== undefined && { suffix: ` ${unit}` })}
          onChange={(next) => {
            if (typeof next === 'number') onChange(next);
            else if (next === '') onChange(isRequired ? (schema.minimum ?? 0) : undefined);
          }}
        />
      );
    case 'text':
    case 'object':
    case 'map':
    case 'list':
      return (
        <TextInput
          {...common}
          value={typeof value === 'string' ? value : ''}
          placeholder={value === null ? t('field.none') : value === undefined ? unset : ''}
          spellCheck={false}
          {...(schema.maxLength !== undefined && { maxLength: schema.maxLength })}
          onChange={(event) => {
            const { value: text } = event.currentTarget;
            onChange(text === '' && isNullable(schema) ? null : text);
          }}
        />
      );
  }
}

const maxDefaultLength = 24;

/** What applies while the value is not set. */
function defaultText(value: Json, t: ReturnType<typeof useTexts<'plugin-configs'>>): string {
  if (typeof value === 'boolean')
    return t('field.unchangedDefault', { value: value ? t('field.on') : t('field.off') });
  const text = textOf(value);
  return text === '' || text.length > maxDefaultLength
    ? t('field.unchanged')
    : t('field.unchangedDefault', { value: text });
}
