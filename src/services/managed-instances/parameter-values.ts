// Validates parameter values against the template that the host's agent reported; the agent checks them again.
import type { Schemas } from '../../platform-contract/types.ts';
import { invalidField } from '../../errors.ts';

type Template = Schemas['InstanceTemplate'];
type Parameter = Schemas['TemplateParameter'];
type Values = Readonly<Record<string, string>>;

const plainText = /^(?![-+@.=\s])[^\p{C}\p{Zl}\p{Zp}/\\]+(?<!\s)$/u;
const maxTextLength = 200;

/** Throws `validation_failed` with the pointer of the first invalid value. */
export function refuseInvalidValues({ name, parameters }: Template, values: Values): void {
  for (const [key, value] of Object.entries(values)) {
    const parameter = parameters.find((candidate) => candidate.name === key);
    const fault =
      parameter === undefined ? `the template "${name}" has no such parameter` : faultOf(parameter, value);
    if (fault !== null) throw invalidField({ in: 'body', pointer: `/parameters/${key}`, detail: fault });
  }
}

/** Throws `validation_failed` if a required value is missing. `values` must be the complete set. */
export function refuseMissingValues({ parameters }: Template, values: Values): void {
  const missing = parameters.find(
    ({ name, type, default: fallback }) =>
      !Object.hasOwn(values, name) && fallback === undefined && type !== 'port',
  );
  if (missing !== undefined)
    throw invalidField({ in: 'body', pointer: `/parameters/${missing.name}`, detail: 'is required' });
}

function faultOf(parameter: Parameter, value: string): string | null {
  const { type, minimum = 0, maximum = 0, choices = [], max_length: maxLength = maxTextLength } = parameter;
  switch (type) {
    case 'integer':
    case 'port':
      return /^(0|-?[1-9]\d{0,14})$/.test(value) && Number(value) >= minimum && Number(value) <= maximum
        ? null
        : `must be a whole number from ${minimum} to ${maximum}`;
    case 'choice':
      return choices.includes(value) ? null : `must be one of ${choices.join(', ')}`;
    case 'text':
      return [...value].length <= maxLength && plainText.test(value)
        ? null
        : `must be one line of at most ${maxLength} characters without slashes, that begins with none of - + @ . = and no space`;
  }
}
