// A field for a name or a path; the platform's objection to it stands there.
import { TextInput } from '@mantine/core';
import { faultText } from '../../api/fault-text.ts';
import { conditionOf, hasCode, problemOf } from '../../api/problem.ts';
import { useTexts } from '../../texts/texts.ts';

interface PathFieldProps {
  label: string;
  description?: string;
  value: string;
  error: Error | null;
  onValue: (value: string) => void;
}

export function PathField({ label, description, value, error, onValue }: PathFieldProps) {
  const fault = useFault(error);
  return (
    <TextInput
      label={label}
      {...(description !== undefined && { description })}
      value={value}
      error={isAboutPath(error) ? fault : undefined}
      data-autofocus
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      onChange={(event) => onValue(event.currentTarget.value)}
    />
  );
}

/** Whether the platform objects to the path, rather than to something else. */
export const isAboutPath = (error: Error | null): boolean =>
  hasCode(error, 'path_refused', 'file_exists', 'validation_failed', 'wrong_file_type');

function useFault(error: Error | null): string | undefined {
  const t = useTexts('files');
  const problem = problemOf(error);
  if (problem === null) return undefined;
  const [fault] = problem.errors ?? [];
  if (fault === undefined) return conditionOf(problem);
  return fault.keyword === 'pattern' ? t('names') : faultText(fault);
}
