// Shows an error where it happened.
import { Alert, Button, List } from '@mantine/core';
import { useRef, type ReactNode } from 'react';
import { problemOf } from '../api/problem.ts';
import { nameOf } from '../operations/words.ts';
import { faultInWords } from './faults.ts';
import { Icon } from './icons.tsx';
import { useFoundFocus } from './use-found-focus.ts';

interface ProblemAlertProps {
  error: Error | null;
  /** Retries; offered only where that can help. */
  retry?: () => void;
  children?: ReactNode;
}

export function ProblemAlert({ error, retry, children }: ProblemAlertProps) {
  const alert = useRef<HTMLDivElement>(null);
  // A failed query is announced only to a user who has just started an action.
  useFoundFocus(alert, retry === undefined ? (error?.message ?? null) : null);
  if (error === null) return null;
  const problem = problemOf(error);
  return (
    <Alert
      ref={alert}
      tabIndex={-1}
      color="red"
      role="alert"
      icon={<Icon name="warning" />}
      title={problem?.title ?? 'No response from the manager'}
    >
      <p className="sentence">{faultInWords(error.message)}</p>
      {problem?.operation !== undefined && (
        <p className="sentence">
          It runs now: {nameOf(problem.operation.kind)}. Wait for its end, or cancel it.
        </p>
      )}
      {problem?.errors !== undefined &&
        problem.errors.some(({ detail }) => !error.message.includes(detail)) && (
          <List size="sm">
            {problem.errors.map(({ pointer, detail }) => (
              <List.Item key={`${pointer} ${detail}`}>
                {pointer} {faultInWords(detail)}
              </List.Item>
            ))}
          </List>
        )}
      {children}
      {retry !== undefined && (
        <Button
          variant="default"
          size="xs"
          mt="xs"
          onClick={retry}
          leftSection={<Icon name="restart" size={14} />}
        >
          Try again
        </Button>
      )}
    </Alert>
  );
}
