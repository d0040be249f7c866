// The settings of the watchdog.
import { Checkbox, NumberInput } from '@mantine/core';
import { Section } from '@gantry/ui/section.tsx';
import { faultAt } from '../shared/faults.ts';
import type { PartProps } from './part.ts';

export function WatchdogSection({ draft: { watchdog }, change, error }: PartProps) {
  return (
    <Section
      title="Watchdog"
      lead="Restarts a battlegroup that should be running but is unreachable. It does nothing while the battlegroup is stopped or its state is unknown."
    >
      <Checkbox
        mb="sm"
        label="Watch the battlegroup"
        checked={watchdog.isEnabled}
        onChange={({ currentTarget }) =>
          change({ watchdog: { ...watchdog, isEnabled: currentTarget.checked } })
        }
      />
      <div className="fields">
        <NumberInput
          label="Minutes before a restart"
          min={2}
          max={120}
          allowDecimal={false}
          value={watchdog.afterMinutes}
          onChange={(value) => change({ watchdog: { ...watchdog, afterMinutes: Number(value) } })}
          error={faultAt(error, '/watchdog/afterMinutes')}
        />
        <NumberInput
          label="Maximum restarts per hour"
          description="Beyond this it only notifies."
          min={1}
          max={12}
          allowDecimal={false}
          value={watchdog.maxRestartsPerHour}
          onChange={(value) => change({ watchdog: { ...watchdog, maxRestartsPerHour: Number(value) } })}
          error={faultAt(error, '/watchdog/maxRestartsPerHour')}
        />
      </div>
    </Section>
  );
}
