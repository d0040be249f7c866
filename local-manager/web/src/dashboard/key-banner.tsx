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
        It is looked for at {path}. If another Windows user has set up the virtual machine, copy the file{' '}
        <Code>sshKey</Code> from that user’s folder. If it is lost, get in below; the world stays as it is.
      </>
    ),
  },
  keyRejected: {
    title: 'The virtual machine does not accept the SSH key',
    help: (path) => (
      <>
        The key at {path} belongs to another setup, or was replaced elsewhere. Put the key there that belongs
        to this virtual machine, or get in below; the world stays as it is.
      </>
    ),
  },
  keyPermissions: {
    title: 'The SSH key is open to other users',
    help: (path) => (
      <>
        SSH refuses keys that others can read. Take the inherited rights from {path}, so that only you can
        read it: its Properties, Security, Advanced, “Disable inheritance”.
      </>
    ),
  },
  passphrase: {
    title: 'The SSH key has a passphrase',
    help: (path) => (
      <>
        The manager can’t type it. Take it away with <Code>ssh-keygen -p -f</Code> {path}, or put a key
        without one there.
      </>
    ),
  },
  unreachable: {
    title: 'The virtual machine does not respond',
    help: () =>
      'After a start that takes a minute. If it lasts, check that its address is still the one shown below, and stop and start the virtual machine.',
  },
  hostKeyChanged: {
    title: 'The virtual machine is another one than before',
    help: () =>
      'It identifies itself by another host key. If you have replaced or re-imported it, accept the new one. If not, another machine may respond at its address: find out which before you accept.',
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
          Until then the battlegroup can neither be seen nor started nor stopped.
          {ssh.wsl &&
            state.startsWith('key') &&
            ' From WSL the manager uses a copy of the key, and renews it automatically.'}
        </p>
      </Alert>
      {(state === 'keyMissing' || state === 'keyRejected') && (
        <Section
          title="Get back in"
          lead="The manager makes a new key and has the virtual machine accept it. Worlds and characters stay as they are."
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
