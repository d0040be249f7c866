// Shows an error of the manager where it happened.
import { ProblemNotice } from '@gantry/ui/problem-notice.tsx';
import type { ReactNode } from 'react';
import { problemOf } from '../api/problem.ts';
import { nameOf } from '../operations/words.ts';
import { fieldInWords } from './faults.ts';

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
  const isInput = problem?.code === 'validation_failed';
  const isRepeated = !isInput && faults.every(({ detail }) => error.message.includes(detail));
  return (
    <ProblemNotice
      problem={{
        title: isInput ? 'Check your input' : (problem?.title ?? 'No response from the manager'),
        detail: isInput ? 'Correct this and send it again.' : detailOf(error),
        faults: isRepeated ? [] : faults.map(({ pointer, detail }) => `${fieldInWords(pointer)} ${detail}.`),
      }}
      {...(retry !== undefined && { retry })}
    >
      {children}
    </ProblemNotice>
  );
}

/** Operations have their names of this page. */
function detailOf(error: Error): string {
  const running = problemOf(error)?.operation;
  return running === undefined
    ? error.message
    : `“${nameOf(running.kind)}” is running. Wait until it has finished, or cancel it.`;
}
