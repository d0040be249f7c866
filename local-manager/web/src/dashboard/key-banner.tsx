// Explains why there is no SSH access to the virtual machine, and what helps.
import { Alert, Code } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Schemas } from '../api/client.ts';
import { useRunning } from '../operations/operations-context.tsx';
import { HostKeyChange } from './host-key-change.tsx';
import { Section } from '@gantry/ui/section.tsx';
import { KeyRecovery } from './key-recovery.tsx';
import { Icon } from '@gantry/ui/icons.tsx';

type Ssh = Schemas['SshStatus'];
type Closed = Exclude<Ssh['state'], 'ready' | 'notTried'>;

const advice: Record<Closed, { title: string; help: (path: ReactNode) => ReactNode }> = {
  keyMissing: {
    title: 'The SSH key is missing',
    help: (path) => (
      <>
        Expected at {path}. If another Windows user set up the virtual machine, copy the file{' '}
        <Code>sshKey</Code> from that user’s folder. If it is lost, restore access below; the world stays
        unchanged.
      </>
    ),
  },
  keyRejected: {
    title: 'The virtual machine does not accept the SSH key',
    help: (path) => (
      <>
        The key at {path} belongs to another setup, or was replaced elsewhere. Put the right key there, or
        restore access below; the world stays unchanged.
      </>
    ),
  },
  keyPermissions: {
    title: 'Other users can read the SSH key',
    help: (path) => (
      <>
        SSH refuses keys that others can read. Remove the inherited permissions of {path}, so that only you
        can read it: its Properties, Security, Advanced, “Disable inheritance”.
      </>
    ),
  },
  passphrase: {
    title: 'The SSH key has a passphrase',
    help: (path) => (
      <>
        The manager cannot enter it. Remove the passphrase with <Code>ssh-keygen -p -f</Code> {path}, or use a
        key without a passphrase.
      </>
    ),
  },
  unreachable: {
    title: 'The virtual machine does not respond',
    help: () =>
      'After a start this takes about a minute. If it persists, check that its address is still the one shown below, then stop and start the virtual machine.',
  },
  hostKeyChanged: {
    title: 'The virtual machine’s identity has changed',
    help: () =>
      'It presents a different host key. If you replaced or re-imported the virtual machine, accept the new key. If not, another machine may be using its address: find out which before you accept.',
  },
  failed: {
    title: 'There is no SSH access to the virtual machine',
    help: () => 'The self-test under Diagnostics shows details.',
  },
};

export function KeyBanner({ ssh }: { ssh: Ssh }) {
  const running = useRunning();
  const state = closedBy(ssh);
  // While something is starting or moving, a missing response is expected.
  if (state === null || (state === 'unreachable' && running !== null)) return null;
  const { title, help } = advice[state];
  return (
    <>
      <Alert color="yellow" role="alert" icon={<Icon name="key" />} title={title}>
        {ssh.detail !== null && <p className="sentence">{ssh.detail}</p>}
        <p className="sentence">{help(<Code>{ssh.keyPath ?? 'its place'}</Code>)}</p>
        <p className="sentence">
          Until then the battlegroup cannot be shown, started or stopped.
          {ssh.wsl &&
            state.startsWith('key') &&
            ' In WSL the manager uses a copy of the key and keeps it up to date.'}
        </p>
      </Alert>
      {(state === 'keyMissing' || state === 'keyRejected') && (
        <Section
          title="Restore access"
          lead="The manager creates a new key and installs it in the virtual machine. Worlds and characters stay unchanged."
        >
          <KeyRecovery />
        </Section>
      )}
      {state === 'hostKeyChanged' && ssh.hostKeys !== null && (
        <Section title="Host keys" lead="Compare both before you accept the new one.">
          <HostKeyChange keys={ssh.hostKeys} />
        </Section>
      )}
    </>
  );
}

/** A missing key is reported even while the virtual machine is off. */
function closedBy({ state, keyPresent }: Ssh): Closed | null {
  if (state === 'ready') return null;
  if (state === 'notTried') return keyPresent ? null : 'keyMissing';
  return state;
}
