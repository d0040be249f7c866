// The name and description of a cluster.
import { Textarea, TextInput } from '@mantine/core';
import { faultAt, hasCode, problemOf } from '../api/problem.ts';
import { useTexts } from '../texts/texts.ts';

export interface ClusterValues {
  name: string;
  description: string;
}

interface ClusterFieldsProps {
  values: ClusterValues;
  error: Error | null;
  onChange: (change: Partial<ClusterValues>) => void;
}

export const pointers: readonly string[] = ['/name', '/description'];

export function ClusterFields({ values, error, onChange }: ClusterFieldsProps) {
  const t = useTexts('clusters');
  return (
    <>
      <TextInput
        label={t('fields.name')}
        maxLength={100}
        autoComplete="off"
        data-autofocus
        value={values.name}
        error={hasCode(error, 'name_taken') ? problemOf(error)?.detail : faultAt(error, '/name')}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <Textarea
        label={t('fields.description')}
        description={t('fields.descriptionHint')}
        maxLength={500}
        autosize
        minRows={2}
        maxRows={6}
        value={values.description}
        error={faultAt(error, '/description')}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
    </>
  );
}

/** As the platform takes it: an empty description is none. */
export const bodyOf = ({ name, description }: ClusterValues) => ({
  name: name.trim(),
  description: description.trim() === '' ? null : description.trim(),
});
