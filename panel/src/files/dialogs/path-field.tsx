// A field for a name or a path; the platform's objection to it stands there.
import { TextInput } from '@mantine/core';
import { hasCode, problemOf } from '../../api/problem.ts';

interface PathFieldProps {
  label: string;
  description?: string;
  value: string;
  error: Error | null;
  onValue: (value: string) => void;
}

export function PathField({ label, description, value, error, onValue }: PathFieldProps) {
  return (
    <TextInput
      label={label}
      {...(description !== undefined && { description })}
      value={value}
      error={isAboutPath(error) ? faultOf(error) : undefined}
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

function faultOf(error: Error | null): string | undefined {
  const problem = problemOf(error);
  return problem?.errors?.[0]?.detail ?? problem?.detail;
}
