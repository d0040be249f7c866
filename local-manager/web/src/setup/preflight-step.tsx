// Whether this host can have the virtual machine.
import { Button } from '@mantine/core';
import type { Schemas } from '../api/client.ts';
import { usePreflight } from '../api/queries.ts';
import { gigabytes } from '../dashboard/states.ts';
import { Facts } from '../shared/facts.tsx';
import { Icon, type IconName } from '../shared/icons.tsx';
import { Loaded } from '../shared/loaded.tsx';
import classes from './preflight-step.module.css';

type Check = Schemas['PreflightCheck'];

const marks: Record<Check['state'], { icon: IconName; words: string }> = {
  passed: { icon: 'check', words: 'passed' },
  warning: { icon: 'warning', words: 'to be thought of' },
  failed: { icon: 'cross', words: 'failed' },
};

export function PreflightStep() {
  const preflight = usePreflight(true);
  return (
    <Loaded asked={preflight} waitingFor="the checks of the host">
      {({ checks, memoryFreeGB, memoryTotalGB, vmcxPath, drives, isReady }) => (
        <>
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
          <Facts
            facts={[
              ['Memory', `${gigabytes(memoryFreeGB)} free of ${gigabytes(memoryTotalGB)}`],
              ['Drives', drives.map(({ name, freeGB }) => `${name}: ${gigabytes(freeGB)} free`).join(', ')],
              ['Vendor’s package', vmcxPath],
            ]}
          />
          <div className="actions">
            {isReady && (
              <Button component="a" href="#/setup/import">
                Go on
              </Button>
            )}
            <Button
              variant="default"
              loading={preflight.isFetching}
              onClick={() => void preflight.refetch()}
              leftSection={<Icon name="restart" size={16} />}
            >
              Check again
            </Button>
          </div>
        </>
      )}
    </Loaded>
  );
}
