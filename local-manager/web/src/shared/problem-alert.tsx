// Shows an error of the manager where it happened.
import { ProblemNotice } from '@gantry/ui/problem-notice.tsx';
import type { ReactNode } from 'react';
import { problemOf } from '../api/problem.ts';
import { nameOf } from '../operations/words.ts';
import { faultInWords } from './faults.ts';

interface ProblemAlertProps {
  error: Error | null;
  /** Retries; offered only where that can help. */
  retry?: () => void;
  children?: ReactNode;
}

export function ProblemAlert({ error, retry, children }: ProblemAlertProps) {
  if (error === null) return null;
  const problem = problemOf(error);
  const faults = problem?.errors ?? [];
  const isRepeated = faults.every(({ detail }) => error.message.includes(detail));
  return (
    <ProblemNotice
      problem={{
        title: problem?.title ?? 'No response from the manager',
        detail: faultInWords(error.message),
        faults: isRepeated ? [] : faults.map(({ pointer, detail }) => `${pointer} ${faultInWords(detail)}`),
      }}
      {...(retry !== undefined && { retry })}
    >
      {problem?.operation !== undefined && (
        <p className="sentence">
          It runs now: {nameOf(problem.operation.kind)}. Wait for its end, or cancel it.
        </p>
      )}
      {children}
    </ProblemNotice>
  );
}
