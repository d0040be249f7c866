// Shows an error of the platform or of the network where it happened.
import { ProblemNotice } from '@gantry/ui/problem-notice.tsx';
import type { ReactNode } from 'react';
import { isShown, textOf } from '../api/problem.ts';
import { useLanguage } from '../texts/texts.ts';

interface ProblemAlertProps {
  error: Error | null;
  /** Retries; offered only where that can help. */
  retry?: () => void;
  /** JSON pointers of the fields that show their own faults. */
  fields?: readonly string[];
  children?: ReactNode;
}

export function ProblemAlert({ error, retry, fields = [], children }: ProblemAlertProps) {
  // Rendered again when the language changes.
  useLanguage();
  if (!isShown(error)) return null;
  return (
    <ProblemNotice
      problem={textOf(error, (pointer) => fields.includes(pointer))}
      {...(retry !== undefined && { retry })}
    >
      {children}
    </ProblemNotice>
  );
}
