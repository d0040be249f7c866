// A plain setting in a table, without a label of its own.
import { useTexts } from '../../../texts/texts.ts';
import { useEditing, useFinding } from '../editing.ts';
import { ScalarInput } from '../generic/scalar-input.tsx';
import { initialOf, type Schema } from '../../schema/schema.ts';
import type { Json, Path } from '../../schema/data.ts';

interface CellProps {
  path: Path;
  schema: Schema | undefined;
  value: Json | undefined;
  /** The accessible name: its row and its column. */
  label: string;
  isRequired?: boolean;
  unit?: string;
  placeholder?: string;
}

export function Cell({ path, schema = {}, value, label, isRequired = false, unit, placeholder }: CellProps) {
  const t = useTexts('plugin-configs');
  const { set, isReadOnly } = useEditing();
  const finding = useFinding(path);
  return (
    <ScalarInput
      schema={schema}
      value={value}
      label={label}
      isRequired={isRequired}
      isReadOnly={isReadOnly}
      error={finding?.detail}
      placeholder={placeholder ?? t('parts.unset')}
      {...(unit !== undefined && { unit })}
      onChange={(next) => set(path, next ?? (isRequired ? initialOf(schema) : undefined))}
    />
  );
}
