// Derives from ssh's messages why the virtual machine is unreachable, and what helps.
import { refusal, type Refusal } from '../refusals.ts';
import type { components } from '../../../generated/local-manager.d.ts';
import type { ProblemCode } from '../problems.ts';

export type SshState = components['schemas']['SshStatus']['state'];

interface Account {
  host: string;
  keyFile: string;
  keySource: string;
  isKeyEncrypted: boolean;
}

/** Checked in this order, because a session may print several. */
const signs: readonly [RegExp, (account: Account) => Refusal][] = [
  [
    /UNPROTECTED PRIVATE KEY FILE|bad permissions/i,
    ({ keyFile }) =>
      refusal(
        'ssh_key_permissions',
        `ssh does not use ${keyFile}, because others may read it. Take their rights away.`,
      ),
  ],
  [
    /REMOTE HOST IDENTIFICATION HAS CHANGED|Host key verification failed/i,
    () =>
      refusal(
        'host_key_changed',
        'The virtual machine shows another host key than before. If you have replaced it, delete the file known_hosts in the manager’s home.',
      ),
  ],
  [
    /Permission denied|Too many authentication failures/i,
    ({ keySource, isKeyEncrypted }) =>
      isKeyEncrypted
        ? refusal('ssh_key_passphrase', `${keySource} has a passphrase. Remove it with ssh-keygen -p.`)
        : refusal('ssh_key_rejected', `The virtual machine does not accept ${keySource}.`),
  ],
  [
    /refused|timed out|No route to host|unreachable|reset by|Could not resolve|closed by|Connection closed|Broken pipe|not responding/i,
    ({ host }) => refusal('guest_unreachable', `The virtual machine does not respond at ${host}.`),
  ],
];

export function sshRefusal(stderr: string, exitCode: number | null, account: Account): Refusal {
  const found = signs.find(([sign]) => sign.test(stderr));
  if (found !== undefined) return found[1](account);
  const message = stderr.trim().slice(-500);
  return refusal('guest_failed', message === '' ? `ssh ended with ${exitCode ?? 'a signal'}.` : message);
}

const states: Partial<Record<ProblemCode, SshState>> = {
  ssh_key_missing: 'keyMissing',
  ssh_key_rejected: 'keyRejected',
  ssh_key_permissions: 'keyPermissions',
  ssh_key_passphrase: 'passphrase',
  guest_unreachable: 'unreachable',
  host_key_changed: 'hostKeyChanged',
};

export const sshStateOf = ({ code }: Refusal): SshState => states[code] ?? 'failed';
