// Secures the virtual machine with a new password and a key that only this host has.
import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { components } from '../../../generated/local-manager.d.ts';
import type { Config } from '../config.ts';
import type { GuestShell } from '../guest-shell/guest-shell.ts';
import type { Guest } from '../guest-shell/guest.ts';
import type { KeyFile } from '../keys/key-file.ts';
import type { OperationRun, Operation } from '../operations/operation-run.ts';
import type { Operations } from '../operations/operations.ts';
import { fieldsOf, jsonOf, listOf } from '../parsing.ts';
import { runProgram } from '../processes.ts';
import { isRefusal, refusal } from '../refusals.ts';
import type { Secrets } from '../security/secrets.ts';
import type { VmReader } from '../vm/vm-reader.ts';
import { writeWhole } from '../whole-files.ts';
import type { SetupState } from './setup-state.ts';

type SecurityRequest = components['schemas']['SecurityRequest'];

interface Parts {
  config: Config;
  guest: Guest;
  keys: KeyFile;
  operations: Operations;
  secrets: Secrets;
  state: SetupState;
  reader: VmReader;
  log: Logger;
}

const keygenMs = 20_000;
const freshPrefix = 'new-';

/** chpasswd reads names and passwords from standard input, where other users cannot see them. */
const changePassword = 'exec sudo -n chpasswd';

const addKey = `
umask 077
mkdir -p "$1/.ssh"
touch "$1/.ssh/authorized_keys"
[ -z "$(tail -c 1 "$1/.ssh/authorized_keys")" ] || echo >> "$1/.ssh/authorized_keys"
grep -qxF "$2" "$1/.ssh/authorized_keys" || printf '%s\\n' "$2" >> "$1/.ssh/authorized_keys"
`;

/** Removes only lines with exactly that key; other keys belong to their owners. The file is replaced atomically. */
const dropKey = `
umask 077
file="$1/.ssh/authorized_keys"
fresh="$file.gantry.$$"
trap 'rm -f "$fresh"' EXIT
grep -vF "$2" "$file" > "$fresh"
[ -s "$fresh" ] || { echo 'no key would be left' >&2; exit 1; }
sync "$fresh" 2>/dev/null
mv "$fresh" "$file"
`;

export class Lock {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async start({ newPassword, rotateKey }: SecurityRequest): Promise<Operation> {
    const { operations, guest, secrets, config, state, reader } = this.#parts;
    secrets.add(newPassword);
    operations.refuseWhileRunning();
    const shell = await guest.open();
    return operations.start('secureVm', async (run) => {
      await run.step('Change the password', () =>
        shell.read({ script: changePassword, input: `${config.guest.user}:${newPassword}\n` }),
      );
      if (rotateKey) await this.#rotate(run, shell);
      await state.add('security', (await reader.existing()).id);
      return { summary: rotateKey ? 'The password and the key are new.' : 'The password is new.' };
    });
  }

  /** Completes an interrupted key rotation, and removes its leftovers on this host. */
  async recover(): Promise<void> {
    const { config, guest, log } = this.#parts;
    const folder = join(config.home, 'keys');
    const left = (await readdir(folder).catch(() => [])).filter((name) => name.startsWith(freshPrefix));
    for (const name of left) await rm(join(folder, name), { recursive: true, force: true });
    if ((await this.#noted()) === undefined) return;
    try {
      await this.#finish(await guest.open());
    } catch (error) {
      if (!isRefusal(error)) throw error;
      log.warn({ err: error }, 'the key before is taken back when the virtual machine can be asked');
    }
  }

  /** The old key works until the new one has been tested and is in place. */
  async #rotate(run: OperationRun, shell: GuestShell): Promise<void> {
    const { config, guest, keys } = this.#parts;
    if ((await this.#noted()) !== undefined)
      await run.step('Finish the change of keys before this one', () => this.#finish(shell));
    const folder = join(config.home, 'keys', `${freshPrefix}${randomUUID()}`);
    const fresh = join(folder, 'sshKey');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      const before = await run.step('Make a new key', async () => {
        await this.#keygen(['-q', '-t', 'ed25519', '-N', '', '-C', 'gantry-local-manager', '-f', fresh]);
        return this.#publicOf((await keys.usable()).file);
      });
      const newPublic = (await readFile(`${fresh}.pub`, 'utf8')).trim();
      // Whichever of the two keys is not in place in the end must lose access.
      await writeWhole(this.#noteFile, JSON.stringify({ keys: [before, keyBodyOf(newPublic)] }));
      await run.step('Have the virtual machine accept it', () =>
        shell.read({ script: addKey, values: [config.guest.home, newPublic] }),
      );
      const tried = guest.with(shell.host, { file: fresh, source: fresh, isEncrypted: false });
      await run.step('Try it', () => tried.read({ script: 'exit 0' }));
      await run.step('Put it in place', () => this.#putInPlace(run, fresh));
      await run.step('Take the old one back', async () => this.#finish(await guest.at(shell.host)));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Revokes every recorded key except the one in place. */
  async #finish(shell: GuestShell): Promise<void> {
    const { config, keys } = this.#parts;
    const current = await this.#publicOf((await keys.usable()).file);
    for (const key of (await this.#noted()) ?? [])
      if (key !== current) await shell.read({ script: dropKey, values: [config.guest.home, key] });
    await rm(this.#noteFile, { force: true });
  }

  async #noted(): Promise<string[] | undefined> {
    const text = await readFile(this.#noteFile, 'utf8').catch(() => undefined);
    if (text === undefined) return undefined;
    return listOf(fieldsOf(jsonOf(text))['keys']).filter((key) => typeof key === 'string');
  }

  get #noteFile(): string {
    return join(this.#parts.config.home, 'key-change.json');
  }

  async #publicOf(file: string): Promise<string> {
    return keyBodyOf((await this.#keygen(['-y', '-P', '', '-f', file])).trim());
  }

  async #putInPlace(run: OperationRun, fresh: string): Promise<void> {
    const path = await this.#parts.keys.path();
    if (path === null) throw refusal('ssh_key_missing', 'There is no place for the key.');
    const beside = `${path}.new`;
    try {
      await rm(beside, { force: true });
      await copyFile(fresh, beside);
      await rename(beside, path);
    } catch (error) {
      await rm(beside, { force: true }).catch(() => undefined);
      throw refusal('host_failed', `The new key cannot be put at ${path}; the old one still works.`, {
        cause: error,
      });
    }
    // The public half is not needed for access, so a failure is only reported.
    await copyFile(`${fresh}.pub`, `${path}.pub`).catch((error: unknown) =>
      run.line('error', `The public half cannot be put at ${path}.pub: ${String(error)}`),
    );
  }

  async #keygen(args: string[]): Promise<string> {
    const { programs } = this.#parts.config;
    const end = await runProgram({ file: programs.sshKeygen, args, timeoutMs: keygenMs }).catch(
      (error: unknown) => {
        throw refusal('host_failed', `ssh-keygen cannot be started: ${programs.sshKeygen}.`, {
          cause: error,
        });
      },
    );
    if (end.exitCode !== 0) throw refusal('host_failed', `ssh-keygen: ${end.stderr.trim().slice(-300)}`);
    return end.stdout;
  }
}

/** Type and key without the comment, which may differ. */
function keyBodyOf(line: string): string {
  return line.split(/\s+/).slice(0, 2).join(' ');
}
