// Shows an error where it happened.
import { Alert, Button, Group, List } from '@mantine/core';
import { useRef, type ReactNode } from 'react';
import { CopyText } from './copy-text.tsx';
import { Icon } from './icons.tsx';
import type { ProblemText } from './problem-text.ts';
import { useFoundFocus } from './use-found-focus.ts';
import { useWords } from './words.tsx';

interface ProblemNoticeProps {
  problem: ProblemText | null;
  /** Retries; offered only where that can help. */
  retry?: () => void;
  children?: ReactNode;
}

export function ProblemNotice({ problem, retry, children }: ProblemNoticeProps) {
  const words = useWords();
  const alert = useRef<HTMLDivElement>(null);
  // A failed query is announced only to a user who has just started an action.
  useFoundFocus(alert, retry === undefined ? (problem?.detail ?? null) : null);
  if (problem === null) return null;
  const { title, detail, faults = [], requestId, report } = problem;
  return (
    <Alert ref={alert} tabIndex={-1} color="red" role="alert" icon={<Icon name="warning" />} title={title}>
      <p className="sentence">{detail}</p>
      {faults.length > 0 && (
        <List size="sm">
          {faults.map((fault) => (
            <List.Item key={fault}>{fault}</List.Item>
          ))}
        </List>
      )}
      {children}
      {(retry !== undefined || requestId !== undefined || report !== undefined) && (
        <Group gap="xs" mt="xs">
          {retry !== undefined && (
            <Button
              variant="default"
              size="xs"
              onClick={retry}
              leftSection={<Icon name="restart" size={14} />}
            >
              {words.tryAgain}
            </Button>
          )}
          {requestId !== undefined && <CopyText text={requestId}>{words.requestId}</CopyText>}
          {report !== undefined && <CopyText text={report}>{words.details}</CopyText>}
        </Group>
      )}
    </Alert>
  );
}
