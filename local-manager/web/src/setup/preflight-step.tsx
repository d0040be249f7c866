// Whether this host can run the virtual machine.
import { Button } from '@mantine/core';
import { usePreflight } from '../api/queries.ts';
import { gigabytes } from '../dashboard/states.ts';
import { Facts } from '@gantry/ui/facts.tsx';
import { Icon } from '@gantry/ui/icons.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { Checks } from './checks.tsx';

export function PreflightStep() {
  const preflight = usePreflight(true);
  return (
    <Loaded asked={preflight} waitingFor="the checks of the host">
      {({ checks, memoryFreeGB, memoryTotalGB, vmcxPath, drives, isReady }) => (
        <>
          <Checks checks={checks} />
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
                Continue
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
