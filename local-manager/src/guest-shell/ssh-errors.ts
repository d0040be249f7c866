// Derives from ssh's messages why the virtual machine is unreachable, and what helps.
import { fieldsOf, textOf } from '../parsing.ts';
import { refusal, type Refusal } from '../refusals.ts';
import type { components } from '../../../generated/local-manager.d.ts';
import type { ProblemCode } from '../problems.ts';
import type { PasswordLogin } from './password-login.ts';

export type SshState = components['schemas']['SshStatus']['state'];

interface Account {
  host: string;
  keyFile: string;
  keySource: string;
  isKeyEncrypted: boolean;
  password?: PasswordLogin;
}

const shownFingerprint = 'shownFingerprint';

export const fingerprintIn = (text: string): string | null =>
  /\bSHA256:[A-Za-z0-9+/]{43}/.exec(text)?.[0] ?? null;

/** The fingerprint of the machine's host key, if that was refused. */
export const refusedFingerprint = ({ cause }: Refusal): string | null =>
  textOf(fieldsOf(cause)[shownFingerprint]);

/** Checked in this order, because a session may print several. */
const signs: readonly [RegExp, (account: Account, stderr: string) => Refusal][] = [
  [
    /UNPROTECTED PRIVATE KEY FILE|bad permissions/i,
    ({ keyFile }) =>
      refusal(
        'ssh_key_permissions',
        `ssh does not use ${keyFile}, because others may read it. Remove their permissions.`,
      ),
  ],
  [
    /REMOTE HOST IDENTIFICATION HAS CHANGED|Host key verification failed/i,
    (_account, stderr) =>
      refusal(
        'host_key_changed',
        'The virtual machine presents a different host key. If you replaced or re-imported it, compare both fingerprints and accept the new one.',
        { cause: { [shownFingerprint]: fingerprintIn(stderr) } },
      ),
  ],
  [
    /Permission denied|Too many authentication failures/i,
    ({ keySource, isKeyEncrypted, password }) =>
      password !== undefined
        ? refusal(
            'ssh_password_rejected',
            'The virtual machine does not accept this password. If it accepts no passwords at all, use its console.',
            { faults: [{ in: 'body', pointer: '/password', detail: 'is not accepted' }] },
          )
        : isKeyEncrypted
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
  if (found !== undefined) return found[1](account, stderr);
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
