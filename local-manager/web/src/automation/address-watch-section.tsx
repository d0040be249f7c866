// What happens when the public address changes.
import { NativeSelect } from '@mantine/core';
import { Section } from '@gantry/ui/section.tsx';
import type { Schemas } from '../api/client.ts';
import type { PartProps } from './part.ts';

type Mode = Schemas['AddressWatch']['mode'];

const modes: { value: Mode; label: string }[] = [
  { value: 'off', label: 'Do not look' },
  { value: 'warn', label: 'Notify me when it has changed' },
  { value: 'follow', label: 'Notify me and write the new one' },
];

export function AddressWatchSection({ draft: { addressWatch }, change }: PartProps) {
  return (
    <Section
      title="Public address"
      lead="Most providers change it from time to time; then new players cannot join. The virtual machine asks api.ipify.org every ten minutes, only while the advertised address is a public one. A written address takes effect when the battlegroup is stopped and started."
    >
      <div className="fields">
        <NativeSelect
          label="When the public address changes"
          value={addressWatch?.mode ?? 'off'}
          data={modes}
          onChange={({ currentTarget: { value } }) =>
            change({ addressWatch: { mode: modes.find((mode) => mode.value === value)?.value ?? 'off' } })
          }
        />
      </div>
    </Section>
  );
}
