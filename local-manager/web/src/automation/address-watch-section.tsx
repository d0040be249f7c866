// What happens when the public address changes.
import { NativeSelect } from '@mantine/core';
import { Section } from '@gantry/ui/section.tsx';
import type { Schemas } from '../api/client.ts';
import type { PartProps } from './part.ts';

type Mode = Schemas['AddressWatch']['mode'];

const modes: { value: Mode; label: string }[] = [
  { value: 'off', label: 'Do not check' },
  { value: 'warn', label: 'Notify me' },
  { value: 'follow', label: 'Notify me and save the new address' },
];

export function AddressWatchSection({ draft: { addressWatch }, change }: PartProps) {
  return (
    <Section
      title="Public address"
      lead="Many providers change it from time to time; new players then cannot join. While the advertised address is public, the virtual machine asks api.ipify.org every ten minutes. A saved address takes effect when the battlegroup is stopped and started."
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
