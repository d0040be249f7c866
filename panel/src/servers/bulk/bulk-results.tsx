// What became of an action on many servers, item by item.
import { Link } from '@tanstack/react-router';
import { StateText, type Tone } from '@gantry/ui/state-text.tsx';
import type { Schemas } from '../../api/operations.ts';
import { toneOf, wordOf } from '../../instance/command-tone.ts';
import { useRuns } from '../../shared/runs/kept-runs.ts';
import { RunSection } from '../../shared/runs/run-section.tsx';
import { useResults } from '../../shared/runs/use-results.ts';
import { useTexts } from '../../texts/texts.ts';
import classes from './bulk.module.css';
import { bulkRuns, type BulkItem, type BulkRun } from './bulk-run.ts';

type Command = Schemas['Command'];

export function BulkResults() {
  const { runs, requesting } = useRuns(bulkRuns);
  return runs.map((run) => <Results key={run.id} run={run} isRequesting={requesting.has(run.id)} />);
}

function Results({ run, isRequesting }: { run: BulkRun; isRequesting: boolean }) {
  const t = useTexts('servers');
  const common = useTexts('common');
  const commands = useResults('/api/commands', run);
  const outcomes = run.items.map((item) => ({
    item,
    ...outcomeOf(run.action, item, commands.get(item.acceptedId ?? ''), isRequesting),
  }));
  const finished = outcomes.filter(({ isFinished }) => isFinished).length;
  // What went wrong stands first.
  const shown = outcomes.toSorted((one, other) => Number(other.tone === 'bad') - Number(one.tone === 'bad'));
  return (
    <RunSection
      title={t(finished === run.items.length ? `results.${run.action}Done` : `results.${run.action}`)}
      run={run}
      finished={finished}
      failed={outcomes.filter(({ tone }) => tone === 'bad').length}
      isRequesting={isRequesting}
      onContinue={() => void bulkRuns.proceed(run.id)}
      onClose={() => bulkRuns.close(run.id)}
    >
      <ul className={classes.results} aria-label={common('run.list')} tabIndex={0}>
        {shown.map((outcome) => (
          <Result key={outcome.item.instanceId} {...outcome} />
        ))}
      </ul>
    </RunSection>
  );
}

interface Outcome {
  tone: Tone;
  word:
    | 'waiting'
    | 'notRequested'
    | 'refused'
    | 'alreadyRunning'
    | 'alreadyStopped'
    | 'alreadyUpdated'
    | ReturnType<typeof wordOf>;
  detail: string;
  isFinished: boolean;
}

function Result({ item, tone, word, detail }: Outcome & { item: BulkItem }) {
  const common = useTexts('common');
  return (
    <li className={classes.result}>
      <Link to="/servers/$instanceId" params={{ instanceId: item.instanceId }} className={classes.resultName}>
        {item.name}
      </Link>
      <StateText tone={tone}>{common(`commandStatus.${word}`)}</StateText>
      {detail !== '' && <span className={classes.resultDetail}>{detail}</span>}
    </li>
  );
}

function outcomeOf(
  action: BulkRun['action'],
  { refusal, acceptedId, wasAlready, isCurrent = false }: BulkItem,
  command: Command | undefined,
  isRequesting: boolean,
): Outcome {
  if (refusal !== undefined) return { tone: 'bad', word: 'refused', detail: refusal, isFinished: true };
  if (isCurrent) return { tone: 'good', word: 'alreadyUpdated', detail: '', isFinished: true };
  if (acceptedId === undefined)
    return { tone: 'idle', word: isRequesting ? 'waiting' : 'notRequested', detail: '', isFinished: false };
  if (command === undefined) return { tone: 'idle', word: 'queued', detail: '', isFinished: false };
  const isFinished = command.finished_at !== null;
  // A console line is sent, and no game server confirms it.
  const isSent = command.status === 'sent' && isFinished;
  if (wasAlready && command.status === 'succeeded')
    return {
      tone: 'good',
      word: action === 'start' ? 'alreadyRunning' : 'alreadyStopped',
      detail: '',
      isFinished,
    };
  return {
    tone: isSent ? 'good' : toneOf(command),
    word: wordOf(command),
    detail: command.error?.detail ?? '',
    isFinished,
  };
}
