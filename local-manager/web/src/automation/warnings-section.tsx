// Messages to players before a scheduled restart or update.
import { Checkbox, PasswordInput, TextInput } from '@mantine/core';
import { Section } from '@gantry/ui/section.tsx';
import { useState } from 'react';
import { faultAt } from '../shared/faults.ts';
import type { PartProps } from './part.ts';

const off = { isEnabled: false, minutes: [15, 5, 1], text: '', authToken: null };

export function WarningsSection({ draft: { warnings = off }, change, error }: PartProps) {
  const [typed, setTyped] = useState('');
  // The text of an earlier draft is not shown once its changes are undone.
  const isTyped = numbersIn(typed).join() === warnings.minutes.join();
  const set = (part: Partial<typeof warnings>) => change({ warnings: { ...warnings, ...part } });
  return (
    <Section
      title="Warnings to players"
      lead="Sent through the game’s own message before a scheduled restart or update. The game servers ignore messages without the token that is built into them; ask operators of your package for it."
    >
      <Checkbox
        mb="sm"
        label="Warn players"
        checked={warnings.isEnabled}
        onChange={({ currentTarget: { checked } }) => set({ isEnabled: checked })}
      />
      <div className="fields">
        <TextInput
          label="Minutes before"
          description="Up to six values from 1 to 120."
          value={isTyped ? typed : warnings.minutes.join(', ')}
          onChange={({ currentTarget: { value } }) => {
            setTyped(value);
            set({ minutes: numbersIn(value) });
          }}
          error={faultAt(error, '/warnings/minutes') ?? faultAt(error, '/warnings/minutes/0')}
        />
        <TextInput
          className="wholeRow"
          label="Message"
          description="{minutes} is replaced with the minutes left."
          maxLength={200}
          value={warnings.text}
          onChange={({ currentTarget: { value } }) => set({ text: value })}
          error={faultAt(error, '/warnings/text')}
        />
        <PasswordInput
          label="Game token"
          maxLength={200}
          autoComplete="off"
          visibilityToggleButtonProps={{ 'aria-label': 'Show the token' }}
          value={warnings.authToken ?? ''}
          onChange={({ currentTarget: { value } }) => set({ authToken: value.trim() || null })}
          error={faultAt(error, '/warnings/authToken')}
        />
      </div>
    </Section>
  );
}

const numbersIn = (text: string): number[] =>
  text
    .split(/[^0-9]+/)
    .filter(Boolean)
    .map(Number);
