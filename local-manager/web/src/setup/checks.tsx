// The checks of the host and their results.
import type { Schemas } from '../api/client.ts';
import { Icon, type IconName } from '@gantry/ui/icons.tsx';
import classes from './checks.module.css';

type Check = Schemas['PreflightCheck'];

const marks: Record<Check['state'], { icon: IconName; words: string }> = {
  passed: { icon: 'check', words: 'passed' },
  warning: { icon: 'warning', words: 'note' },
  failed: { icon: 'cross', words: 'failed' },
};

export function Checks({ checks }: { checks: readonly Check[] }) {
  return (
    <ul className={classes.checks}>
      {checks.map(({ name, state, detail }) => (
        <li key={name} data-state={state}>
          <Icon name={marks[state].icon} />
          <span>
            {name} <span className="visuallyHidden">({marks[state].words})</span>
            {detail !== null && <span className={classes.detail}>{detail}</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}
