// Replaces the vendor's password and key.
import { Button, Checkbox, PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { api, bodyOf, type Schemas } from '../api/client.ts';
import { useAction } from '../api/queries.ts';
import { OperationOutcome } from '../operations/operation-outcome.tsx';
import { useRunning } from '../operations/operations-context.tsx';
import { faultAt } from '../shared/faults.ts';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { WaitsFor } from '../shared/waits-for.tsx';

export function SecurityStep() {
  const running = useRunning();
  const [newPassword, setNewPassword] = useState('');
  const [rotateKey, setRotateKey] = useState(true);
  const lock = useAction((body: Schemas['SecurityRequest']) =>
    bodyOf(api.POST('/api/setup/security', { body })),
  );
  return (
    <div className="stack">
      <OperationOutcome kinds={['secureVm']}>
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault();
            lock.mutate({ newPassword, rotateKey }, { onSuccess: () => setNewPassword('') });
          }}
        >
          <PasswordInput
            maw={420}
            label="New password of the virtual machine’s user"
            description="At least 10 characters: letters A–Z, digits, spaces and symbols of a US keyboard. The manager neither logs nor stores it."
            required
            minLength={10}
            maxLength={128}
            autoComplete="new-password"
            visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
            value={newPassword}
            onChange={({ currentTarget }) => setNewPassword(currentTarget.value)}
            error={faultAt(lock.error, '/newPassword')}
          />
          <Checkbox
            label="Replace the vendor’s SSH key with one that only this host has"
            description="The new key is tested before the old one is removed."
            checked={rotateKey}
            onChange={({ currentTarget }) => setRotateKey(currentTarget.checked)}
          />
          <div>
            <Button type="submit" disabled={running !== null} loading={lock.isPending}>
              Lock it
            </Button>
          </div>
          <WaitsFor />
          <ProblemAlert error={lock.error} />
        </form>
      </OperationOutcome>
    </div>
  );
}
