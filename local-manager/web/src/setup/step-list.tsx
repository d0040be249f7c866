// The steps of the setup, with the state of each.
import type { Schemas } from '../api/client.ts';
import { useRunning } from '../operations/operations-context.tsx';
import type { OperationKind } from '../operations/operations-feed.ts';
import { Icon } from '@gantry/ui/icons.tsx';
import classes from './setup.module.css';
import { stepTitles } from './steps.ts';

type Step = Schemas['SetupStep'];

interface StepListProps {
  steps: readonly Step[];
  shown: Step['name'] | null;
  isReachable: (index: number) => boolean;
}

const states: Record<Step['state'], string> = {
  todo: 'Not done yet',
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  unknown: 'Unknown',
};

/** The step of an operation; the feed reports it earlier than the next query. */
const stepOf: Partial<Record<OperationKind, Step['name']>> = {
  importVm: 'import',
  secureVm: 'security',
  setUpNetwork: 'network',
  bootstrap: 'bootstrap',
  repair: 'bootstrap',
};

export function StepList({ steps: listed, shown, isReachable }: StepListProps) {
  const running = useRunning();
  const steps = listed.map((step): Step => {
    const isRunning = running !== null && stepOf[running.kind] === step.name;
    return isRunning ? { ...step, state: 'running', detail: null } : step;
  });
  return (
    <nav aria-label="Steps of the setup">
      <ol className={classes.steps}>
        {steps.map((step, index) => {
          const { name, state } = step;
          const isShown = name === shown;
          const content = <StepContent step={step} number={index + 1} />;
          return (
            <li key={name}>
              {isReachable(index) ? (
                <a
                  className={classes.step}
                  data-state={state}
                  href={`#/setup/${name}`}
                  {...(isShown && { 'aria-current': 'step' as const })}
                >
                  {content}
                </a>
              ) : (
                <div className={classes.step} data-state={state}>
                  {content}
                </div>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

function StepContent({ step: { name, state, detail }, number }: { step: Step; number: number }) {
  return (
    <>
      <span className={classes.mark} aria-hidden="true">
        {state === 'done' ? (
          <Icon name="check" size={15} />
        ) : state === 'failed' ? (
          <Icon name="cross" size={15} />
        ) : (
          number
        )}
      </span>
      <span>
        <span className={classes.title}>{stepTitles[name]}</span>
        <span className={classes.detail}>{detail ?? states[state]}</span>
      </span>
    </>
  );
}
