// Gets into a virtual machine whose key is lost, without touching its world.
import { Alert, Button, Code, PasswordInput, Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import { api, bodyOf, type Schemas } from '../api/client.ts';
import { useAction } from '../api/queries.ts';
import { OperationOutcome } from '../operations/operation-outcome.tsx';
import { useRunning } from '../operations/operations-context.tsx';
import { CopyText } from '@gantry/ui/copy-text.tsx';
import { faultAt } from '../shared/faults.ts';
import { ProblemAlert } from '../shared/problem-alert.tsx';
import { WaitsFor } from '../shared/waits-for.tsx';

type Method = Schemas['KeyRecoveryRequest']['method'];

export function KeyRecovery() {
  const running = useRunning();
  const [method, setMethod] = useState<Method>('password');
  const [password, setPassword] = useState('');
  const recover = useAction((body: Schemas['KeyRecoveryRequest']) =>
    bodyOf(api.POST('/api/setup/key-recovery', { body })),
  );
  const step = running?.kind === 'recoverKey' ? running.steps.at(-1) : undefined;
  const command = step?.state === 'running' && step.detail?.startsWith('mkdir') === true ? step.detail : null;
  return (
    <>
      <OperationOutcome kinds={['recoverKey']}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            recover.mutate(method === 'password' ? { method, password } : { method });
          }}
        >
          <Radio.Group label="Method" value={method} onChange={(chosen) => setMethod(chosen)}>
            <Stack gap="sm" mt="xs">
              <Radio
                value="password"
                label="With the virtual machine’s password"
                description="The one set when the virtual machine was locked, or the vendor’s."
              />
              <Radio
                value="bundledKey"
                label="With the key in the vendor’s package"
                description="Works if that key was never replaced."
              />
              <Radio
                value="console"
                label="At the console of the virtual machine"
                description="You enter one command there, shown here."
              />
            </Stack>
          </Radio.Group>
          {method === 'password' && (
            <PasswordInput
              mt="sm"
              maw={420}
              label="Password"
              required
              maxLength={128}
              autoComplete="off"
              visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
              value={password}
              onChange={({ currentTarget }) => setPassword(currentTarget.value)}
              error={faultAt(recover.error, '/password')}
            />
          )}
          <div className="actions">
            <Button type="submit" disabled={running !== null} loading={recover.isPending}>
              Get in
            </Button>
          </div>
          <WaitsFor />
          <ProblemAlert error={recover.error} />
        </form>
      </OperationOutcome>
      {command !== null && (
        <Alert mt="sm" role="status" title="Enter this at the console of the virtual machine">
          <p className="sentence">
            In Hyper-V Manager, connect to the virtual machine and log in. “Type clipboard text” in the menu
            “Clipboard” pastes the command.
          </p>
          <Code block>{command}</Code>
          <CopyText text={command}>Copy the command</CopyText>
        </Alert>
      )}
    </>
  );
}
