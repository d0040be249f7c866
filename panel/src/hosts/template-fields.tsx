// The parameters that a template asks for.
import { NativeSelect, TextInput } from '@mantine/core';
import type { Schemas } from '../api/operations.ts';
import { faultAt } from '../api/problem.ts';
import { useTexts } from '../texts/texts.ts';

type Parameter = Schemas['TemplateParameter'];
type Values = Readonly<Record<string, string>>;

export const initialValues = (parameters: readonly Parameter[], stored: Values): Values =>
  Object.fromEntries(parameters.map(({ name, default: usual }) => [name, stored[name] ?? usual ?? '']));

export const parameterPointers = (parameters: readonly Parameter[]): string[] =>
  parameters.map(({ name }) => `/parameters/${name}`);

interface TemplateFieldsProps {
  parameters: readonly Parameter[];
  values: Values;
  error: Error | null;
  onChange: (change: Values) => void;
}

export function TemplateFields({ parameters, values, error, onChange }: TemplateFieldsProps) {
  const t = useTexts('hosts');
  const hintOf = ({ description, type, minimum, maximum }: Parameter) =>
    [
      description,
      minimum !== undefined && maximum !== undefined
        ? t('templates.range', { minimum: String(minimum), maximum: String(maximum) })
        : undefined,
      type === 'port' ? t('templates.freePort') : undefined,
    ]
      .filter((part) => part !== undefined)
      .join(' ');
  return parameters.map((parameter) => {
    const { name, choices, max_length: maxLength } = parameter;
    const common = {
      label: name,
      description: hintOf(parameter),
      value: values[name] ?? '',
      error: faultAt(error, `/parameters/${name}`),
    };
    return choices !== undefined ? (
      <NativeSelect
        key={name}
        {...common}
        data={common.value === '' ? ['', ...choices] : choices}
        onChange={(event) => onChange({ [name]: event.currentTarget.value })}
      />
    ) : (
      <TextInput
        key={name}
        {...common}
        {...(maxLength !== undefined && { maxLength })}
        inputMode={parameter.type === 'text' ? 'text' : 'numeric'}
        autoComplete="off"
        onChange={(event) => onChange({ [name]: event.currentTarget.value })}
      />
    );
  });
}
