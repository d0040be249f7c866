// Shows both fingerprints of a changed host key, and accepts the new one.
import { Button, Code } from '@mantine/core';
import { useState } from 'react';
import { api, bodyOf, type Schemas } from '../api/client.ts';
import { useAction } from '../api/queries.ts';
import { useRunning } from '../operations/operations-context.tsx';
import { ConfirmDialog } from '@gantry/ui/confirm-dialog.tsx';
import { Facts } from '@gantry/ui/facts.tsx';
import { ProblemAlert } from '../shared/problem-alert.tsx';

export function HostKeyChange({ keys: { known, shown } }: { keys: Schemas['HostKeys'] }) {
  const running = useRunning();
  const [isAsking, setIsAsking] = useState(false);
  const accept = useAction((fingerprint: string) =>
    bodyOf(api.POST('/api/setup/host-key', { body: { fingerprint } })),
  );
  return (
    <>
      <Facts
        facts={[
          ['Known', known],
          ['Shown now', shown],
        ]}
      />
      {shown !== null && (
        <Button
          variant="default"
          disabled={running !== null}
          loading={accept.isPending}
          onClick={() => setIsAsking(true)}
        >
          Accept the new host key
        </Button>
      )}
      <ProblemAlert error={accept.error} />
      <ConfirmDialog
        isOpen={isAsking}
        title="Accept the new host key?"
        action="Accept"
        isDangerous
        onConfirm={() => {
          if (shown !== null) accept.mutate(shown);
        }}
        onClose={() => setIsAsking(false)}
      >
        <p>
          The manager will trust the machine that presents this key, and send it commands and secrets. At the
          console of the virtual machine, <Code>ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub</Code> prints
          the same fingerprint.
        </p>
      </ConfirmDialog>
    </>
  );
}
