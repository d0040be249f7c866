// What became of an action on many servers, item by item.
import { CloseButton, Progress } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Section } from '@gantry/ui/section.tsx';
import { StateText, type Tone } from '@gantry/ui/state-text.tsx';
import type { Schemas } from '../../api/operations.ts';
import { toneOf, wordOf } from '../../instance/command-tone.ts';
import { useTexts } from '../../texts/texts.ts';
import classes from './bulk.module.css';
import { closeRun, useBulkRun, type BulkItem, type BulkRun } from './bulk-run.ts';
import { useCommands } from './use-commands.ts';

type Command = Schemas['Command'];

export function BulkResults() {
  const run = useBulkRun();
  return run === null ? null : <Results run={run} />;
}

function Results({ run }: { run: BulkRun }) {
  const t = useTexts('servers');
  const commands = useCommands(run);
  const outcomes = run.items.map((item) => ({
    item,
    ...outcomeOf(run.action, item, commands.get(item.commandId ?? '')),
  }));
  const finished = outcomes.filter(({ isFinished }) => isFinished).length;
  const failed = outcomes.filter(({ tone }) => tone === 'bad').length;
  // What went wrong stands first.
  const shown = outcomes.toSorted((one, other) => Number(other.tone === 'bad') - Number(one.tone === 'bad'));
  return (
    <Section
      title={t(finished === run.items.length ? `results.${run.action}Done` : `results.${run.action}`)}
      aside={<CloseButton aria-label={t('results.close')} onClick={closeRun} />}
    >
      <div className={classes.summary} role="status">
        {t('results.progress', { finished, total: run.items.length })}
        {failed > 0 && <span className={classes.failed}>{t('results.failed', { count: failed })}</span>}
      </div>
      <Progress
        value={(finished / run.items.length) * 100}
        {...(failed > 0 && { color: 'red' })}
        size="sm"
        aria-label={t(`results.${run.action}`)}
      />
      <ul className={classes.results} aria-label={t('results.list')} tabIndex={0}>
        {shown.map((outcome) => (
          <Result key={outcome.item.instanceId} {...outcome} />
        ))}
      </ul>
    </Section>
  );
}

interface Outcome {
  tone: Tone;
  word:
    | 'waiting'
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
  { refusal, commandId, wasAlready = false, isCurrent = false }: BulkItem,
  command: Command | undefined,
): Outcome {
  if (refusal !== undefined) return { tone: 'bad', word: 'refused', detail: refusal, isFinished: true };
  if (isCurrent) return { tone: 'good', word: 'alreadyUpdated', detail: '', isFinished: true };
  if (commandId === undefined || command === undefined)
    return {
      tone: 'idle',
      word: commandId === undefined ? 'waiting' : 'queued',
      detail: '',
      isFinished: false,
    };
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
