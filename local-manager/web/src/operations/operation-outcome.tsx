// The progress or result of an operation, beside the button that started it.
import { Alert, Progress, Text } from '@mantine/core';
import { useRef, type ReactNode } from 'react';
import { Icon } from '@gantry/ui/icons.tsx';
import { useFoundFocus } from '@gantry/ui/use-found-focus.ts';
import { useNow } from '@gantry/ui/use-now.ts';
import { useLast } from './operations-context.tsx';
import type { Operation, OperationKind } from './operations-feed.ts';
import { elapsedOf, nameOf, progressOf, sentenceOf, stateInWords } from './words.ts';

const colours: Record<Exclude<Operation['state'], 'running'>, string> = {
  succeeded: 'teal',
  failed: 'red',
  cancelled: 'gray',
  interrupted: 'yellow',
};

interface OperationOutcomeProps {
  kinds: OperationKind[];
  /** The form that starts such an operation: hidden while one runs, with its input kept. */
  children?: ReactNode;
}

/** The last operation, if it is of one of these kinds. */
export function OperationOutcome({ kinds, children }: OperationOutcomeProps) {
  const operation = useLast(...kinds);
  const outcome = useRef<HTMLDivElement>(null);
  const seen = useRef(operation === null ? null : newsOf(operation));
  const news = operation === null ? null : newsOf(operation);
  // Results from before the page was opened are not announced.
  useFoundFocus(outcome, news === seen.current ? null : news);
  return (
    <>
      {operation !== null && (
        <div ref={outcome} tabIndex={-1}>
          <Outcome operation={operation} />
        </div>
      )}
      {children !== undefined && <div hidden={operation?.state === 'running'}>{children}</div>}
    </>
  );
}

const newsOf = ({ id, state }: Operation) => `${id} ${state}`;

function Outcome({ operation }: { operation: Operation }) {
  const { state, kind } = operation;
  if (state === 'running') return <Going operation={operation} />;
  return (
    <Alert
      color={colours[state]}
      role={state === 'failed' ? 'alert' : 'status'}
      icon={<Icon name={state === 'succeeded' ? 'check' : 'warning'} />}
      title={`${nameOf(kind)}: ${stateInWords(state).toLowerCase()}`}
    >
      {sentenceOf(operation)}
    </Alert>
  );
}

function Going({ operation }: { operation: Operation }) {
  const now = useNow(true);
  const progress = progressOf(operation);
  return (
    <div>
      <Text size="sm" fw={600} className="number">
        {nameOf(operation.kind)} · {elapsedOf(operation, now)}
      </Text>
      <Text size="sm" c="dimmed" mb={6}>
        {sentenceOf(operation)}
      </Text>
      <Progress value={progress ?? 100} animated={progress === null} aria-label={nameOf(operation.kind)} />
    </div>
  );
}
