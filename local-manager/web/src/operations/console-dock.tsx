// The console at the foot of every page: the running operation, its progress and its output.
import { ActionIcon, Button, Progress, Text } from '@mantine/core';
import { useEffect, useId, useRef, useState } from 'react';
import { api, bodyOf } from '../api/client.ts';
import { useAction, useOperationLines } from '../api/queries.ts';
import { Icon } from '@gantry/ui/icons.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { StateText, type Tone } from '@gantry/ui/state-text.tsx';
import { useNow } from '@gantry/ui/use-now.ts';
import classes from './console-dock.module.css';
import { ConsoleLines } from '@gantry/ui/console-lines.tsx';
import { useFeed } from './operations-context.tsx';
import type { Feed, Operation } from './operations-feed.ts';
import { OperationSteps } from './operation-steps.tsx';
import { elapsedOf, nameOf, progressOf, sentenceOf, stateInWords } from './words.ts';

const tones: Record<Operation['state'], Tone> = {
  running: 'busy',
  succeeded: 'good',
  failed: 'bad',
  cancelled: 'idle',
  interrupted: 'bad',
};

const isOpenKey = 'gantry-console-is-open';
const seenFailureKey = 'gantry-console-seen-failure';

export function ConsoleDock() {
  const feed = useFeed();
  const bodyId = useId();
  const [isOpen, setIsOpen] = useState(() => window.localStorage.getItem(isOpenKey) === 'true');
  const { operation } = feed;
  const hasUnfolded = useRef(false);
  const failedId = operation?.state === 'failed' ? operation.id : null;
  useEffect(() => {
    window.localStorage.setItem(isOpenKey, String(isOpen));
  }, [isOpen]);
  useEffect(() => {
    if (failedId === null || window.localStorage.getItem(seenFailureKey) === failedId) return;
    window.localStorage.setItem(seenFailureKey, failedId);
    hasUnfolded.current = true;
    setIsOpen(true);
  }, [failedId]);
  // A console that opened automatically closes automatically once the operation has succeeded.
  const isWell = operation?.state === 'succeeded';
  useEffect(() => {
    if (!isWell || !hasUnfolded.current) return;
    hasUnfolded.current = false;
    setIsOpen(false);
  }, [isWell]);
  // Output from before the manager's start is loaded only on request.
  const isFromBefore =
    operation !== null &&
    operation.state !== 'running' &&
    !feed.lines.some(({ operationId }) => operationId === operation.id);
  const before = useOperationLines(isFromBefore && isOpen ? operation.id : null);
  const lines = isFromBefore ? [...(before.data?.data ?? []), ...feed.lines] : feed.lines;
  return (
    <section className={classes.dock} aria-label="Console">
      {operation?.state === 'running' && (
        <Progress
          className={classes.progress ?? ''}
          size="xs"
          radius={0}
          value={progressOf(operation) ?? 100}
          animated={progressOf(operation) === null}
          aria-label={`Progress of: ${nameOf(operation.kind)}`}
        />
      )}
      <div className={classes.bar}>
        <Summary feed={feed} />
        <ActionIcon
          variant="default"
          size="lg"
          aria-label={isOpen ? 'Hide the console' : 'Show the console'}
          aria-expanded={isOpen}
          aria-controls={bodyId}
          onClick={() => setIsOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'down' : 'up'} />
        </ActionIcon>
      </div>
      <div id={bodyId} hidden={!isOpen} className={classes.body}>
        {operation !== null && operation.steps.length > 0 && <OperationSteps operation={operation} />}
        <ConsoleLines
          lines={lines.map(({ operationId, seq, at, stream, text }) => ({
            key: `${operationId} ${seq}`,
            at,
            stream,
            text,
          }))}
          label="Output of operations"
          placeholder="Nothing has been printed yet."
          {...(feed.isTruncated && { notice: 'Earlier lines are not shown.' })}
        />
      </div>
    </section>
  );
}

function Summary({ feed: { operation, isOpen } }: { feed: Feed }) {
  const now = useNow(operation?.state === 'running');
  if (operation === null) {
    return (
      <div className={classes.summary}>
        <span className={classes.idle}>
          <Icon name="terminal" />
          {isOpen === false
            ? 'The console is disconnected and reconnects automatically.'
            : 'Console: no operations yet.'}
        </span>
      </div>
    );
  }
  const isRunning = operation.state === 'running';
  return (
    <div className={classes.summary}>
      <div className={classes.what} role="status">
        <StateText tone={tones[operation.state]}>
          {nameOf(operation.kind)} · {stateInWords(operation.state)}
        </StateText>
        <Text size="sm" c="dimmed" className={classes.sentence} title={sentenceOf(operation)}>
          {sentenceOf(operation)}
        </Text>
      </div>
      {isOpen === false && <Text size="sm">Disconnected; reconnecting.</Text>}
      <Text size="sm" className={classes.time} aria-label="Duration">
        {elapsedOf(operation, now)}
      </Text>
      {isRunning && <CancelButton operation={operation} />}
    </div>
  );
}

function CancelButton({ operation: { id, isCancellable } }: { operation: Operation }) {
  const cancel = useAction(() =>
    bodyOf(api.POST('/api/operations/{operationId}/cancel', { params: { path: { operationId: id } } })),
  );
  return (
    <>
      {isCancellable && (
        <Button
          variant="default"
          size="xs"
          loading={cancel.isPending}
          onClick={() => cancel.mutate()}
          leftSection={<Icon name="cross" size={14} />}
        >
          Cancel
        </Button>
      )}
      <ProblemAlert error={cancel.error} />
    </>
  );
}
