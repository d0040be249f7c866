// The control for one plain value, empty while the server keeps its own.
import { NativeSelect, Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import { NumberField } from '../../../shared/number-field.tsx';
import { useTexts } from '../../../texts/texts.ts';
import { textOf, type Json } from '../../schema/data.ts';
import { formOf, isInteger, isNullable, type Schema } from '../../schema/schema.ts';
import { TextField } from './text-field.tsx';

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
        <NumberField
          {...common}
          value={typeof value === 'number' || typeof value === 'string' ? value : ''}
          placeholder={unset}
          isWhole={isInteger(schema)}
          isOptional={!isRequired || isNullable(schema)}
          unit={unit}
          {...(schema.minimum !== undefined && { min: schema.minimum })}
          {...(schema.maximum !== undefined && { max: schema.maximum })}
          onChange={(next) => onChange(next === '' ? emptied(schema, isRequired) : next)}
        />
      );
    case 'text':
    case 'object':
    case 'map':
    case 'list':
      return (
        <TextField
          {...common}
          value={typeof value === 'string' ? value : ''}
          placeholder={value === null ? t('field.none') : value === undefined ? unset : ''}
          maxLength={schema.maxLength}
          onChange={(text) => onChange(text === '' && isNullable(schema) ? null : text)}
        />
      );
  }
}

/** A required number that was emptied stays empty, so that the platform refuses it where it stands. */
function emptied(schema: Schema, isRequired: boolean): Json | undefined {
  if (!isRequired) return undefined;
  return isNullable(schema) ? null : '';
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
