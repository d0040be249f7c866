// Locks the virtual machine: another password, and a key that only this host has.
import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { components } from '../../../generated/local-manager.d.ts';
import type { Config } from '../config.ts';
import type { GuestShell } from '../guest-shell/guest-shell.ts';
import type { Guest } from '../guest-shell/guest.ts';
import type { KeyFile } from '../keys/key-file.ts';
import type { OperationRun } from '../operations/operation-run.ts';
import type { Operation } from '../operations/operation-store.ts';
import type { Operations } from '../operations/operations.ts';
import { runProgram } from '../processes.ts';
import { refusal } from '../refusals.ts';
import type { Secrets } from '../security/secrets.ts';
import type { SetupState } from './setup-state.ts';

type SecurityRequest = components['schemas']['SecurityRequest'];

interface Parts {
  config: Config;
  guest: Guest;
  keys: KeyFile;
  operations: Operations;
  secrets: Secrets;
  state: SetupState;
}

const keygenMs = 20_000;

/** chpasswd reads names and passwords from standard input, where nobody sees them. */
const changePassword = 'exec sudo -n chpasswd';

const addKey = `
umask 077
mkdir -p "$1/.ssh"
touch "$1/.ssh/authorized_keys"
grep -qxF "$2" "$1/.ssh/authorized_keys" || printf '%s\\n' "$2" >> "$1/.ssh/authorized_keys"
`;

/** Only lines with that very key go; whatever else lets people in is theirs. */
const dropKey = `
file="$1/.ssh/authorized_keys"
grep -vF "$2" "$file" > "$file.gantry"
[ -s "$file.gantry" ] || { rm -f "$file.gantry"; echo 'no key would be left' >&2; exit 1; }
cat "$file.gantry" > "$file"
rm -f "$file.gantry"
`;

export class Lock {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async start({ newPassword, rotateKey }: SecurityRequest): Promise<Operation> {
    const { operations, guest, secrets, config, state } = this.#parts;
    secrets.add(newPassword);
    operations.refuseWhileRunning();
    const shell = await guest.open();
    return operations.start('secureVm', async (run) => {
      await run.step('Change the password', () =>
        shell.read({ script: changePassword, input: `${config.guest.user}:${newPassword}\n` }),
      );
      if (rotateKey) await this.#rotate(run, shell);
      await state.add('security');
      return { summary: rotateKey ? 'The password and the key are new.' : 'The password is new.' };
    });
  }

  /** The old key works until the new one has been tried and stands in its place. */
  async #rotate(run: OperationRun, shell: GuestShell): Promise<void> {
    const { config, guest, keys } = this.#parts;
    const folder = join(config.home, 'keys', `new-${randomUUID()}`);
    const fresh = join(folder, 'sshKey');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      const oldPublic = await run.step('Make a new key', async () => {
        await this.#keygen(['-q', '-t', 'ed25519', '-N', '', '-C', 'gantry-local-manager', '-f', fresh]);
        return (await this.#keygen(['-y', '-P', '', '-f', (await keys.usable()).file])).trim();
      });
      const newPublic = (await readFile(`${fresh}.pub`, 'utf8')).trim();
      const home = config.guest.home;
      await run.step('Have the virtual machine accept it', () =>
        shell.read({ script: addKey, values: [home, newPublic] }),
      );
      const tried = guest.with(shell.host, { file: fresh, isEncrypted: false });
      await run.step('Try it', () => tried.read({ script: 'exit 0' }));
      await run.step('Put it in place', () => this.#putInPlace(fresh));
      await run.step('Take the old one back', async () => {
        const again = await guest.at(shell.host);
        await again.read({ script: dropKey, values: [home, keyBodyOf(oldPublic)] });
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #putInPlace(fresh: string): Promise<void> {
    const path = await this.#parts.keys.path();
    if (path === null) throw refusal('ssh_key_missing', 'There is no place for the key.');
    const beside = `${path}.new`;
    try {
      await rm(beside, { force: true });
      await copyFile(fresh, beside);
      await rename(beside, path);
      await copyFile(`${fresh}.pub`, `${path}.pub`);
    } catch (error) {
      throw refusal('host_failed', `The new key can not be put at ${path}; the old one still works.`, {
        cause: error,
      });
    }
  }

  async #keygen(args: string[]): Promise<string> {
    const { programs } = this.#parts.config;
    const end = await runProgram({ file: programs.sshKeygen, args, timeoutMs: keygenMs }).catch(
      (error: unknown) => {
        throw refusal('host_failed', `ssh-keygen can not be started: ${programs.sshKeygen}.`, {
          cause: error,
        });
      },
    );
    if (end.exitCode !== 0) throw refusal('host_failed', `ssh-keygen: ${end.stderr.trim().slice(-300)}`);
    return end.stdout;
  }
}

/** Kind and key without the comment, which may differ. */
function keyBodyOf(line: string): string {
  return line.split(/\s+/).slice(0, 2).join(' ');
}
