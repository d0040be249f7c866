// The steps of an operation, with the state of each.
import { Icon, type IconName } from '@gantry/ui/icons.tsx';
import { useNow } from '@gantry/ui/use-now.ts';
import classes from './operation-steps.module.css';
import type { Operation } from './operations-feed.ts';
import { durationInWords } from './words.ts';

type Step = Operation['steps'][number];

const marks: Record<Step['state'], { icon: IconName; words: string }> = {
  waiting: { icon: 'dot', words: 'waits' },
  running: { icon: 'play', words: 'runs' },
  succeeded: { icon: 'check', words: 'done' },
  failed: { icon: 'cross', words: 'failed' },
  skipped: { icon: 'dot', words: 'skipped' },
};

export function OperationSteps({ operation: { steps, state } }: { operation: Operation }) {
  const now = useNow(state === 'running');
  return (
    <ol className={classes.steps} aria-label="Steps" tabIndex={0}>
      {steps.map((step, index) => (
        <li key={`${index} ${step.name}`} data-state={step.state}>
          <span className={classes.mark}>
            <Icon name={marks[step.state].icon} size={14} />
          </span>
          <span>
            {step.name} <span className="visuallyHidden">({marks[step.state].words})</span>
            {step.detail !== null && <span className={classes.detail}>{step.detail}</span>}
          </span>
          <span className={classes.time}>{timeOf(step, now)}</span>
        </li>
      ))}
    </ol>
  );
}

function timeOf({ startedAt, endedAt }: Step, now: number): string {
  if (startedAt === null) return '';
  return durationInWords((endedAt === null ? now : Date.parse(endedAt)) - Date.parse(startedAt));
}
