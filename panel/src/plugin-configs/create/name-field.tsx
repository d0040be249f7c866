// The name of a new configuration, with the platform's objections to it.
import { TextInput } from '@mantine/core';
import { faultAt, hasCode, problemOf } from '../../api/problem.ts';
import { useTexts } from '../../texts/texts.ts';

interface NameFieldProps {
  name: string;
  error: Error | null;
  onName: (name: string) => void;
}

export function NameField({ name, error, onName }: NameFieldProps) {
  const t = useTexts('plugin-configs');
  return (
    <TextInput
      label={t('config.name')}
      description={t('create.nameHint')}
      value={name}
      maxLength={100}
      error={hasCode(error, 'name_taken') ? problemOf(error)?.detail : faultAt(error, '/name')}
      onChange={(event) => onName(event.currentTarget.value)}
    />
  );
}

/** The problem without what the field shows. */
export const withoutTaken = (error: Error | null): Error | null =>
  hasCode(error, 'name_taken') ? null : error;
