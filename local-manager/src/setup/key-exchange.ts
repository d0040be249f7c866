// Replaces the key of the virtual machine: the new one is tried before it is in place, and others lose access only then.
import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { GuestShell } from '../guest-shell/guest-shell.ts';
import type { Guest } from '../guest-shell/guest.ts';
import type { KeyFile } from '../keys/key-file.ts';
import { sshKeygen } from '../keys/ssh-keygen.ts';
import type { OperationRun } from '../operations/operation-run.ts';
import { fieldsOf, jsonOf, listOf } from '../parsing.ts';
import { isRefusal, refusal } from '../refusals.ts';
import { replaceFile, withoutSpace, writeWhole } from '../whole-files.ts';

interface Parts {
  config: Config;
  guest: Guest;
  keys: KeyFile;
  log: Logger;
}

/** How the virtual machine comes to accept the new key. */
export interface KeyWay {
  /** Public keys that lose access once the new key is in place. */
  revoked: readonly string[];
  /** Has the virtual machine accept it; returns once it does. */
  accept: (publicKey: string, tried: GuestShell) => Promise<void>;
}

const freshPrefix = 'new-';

export const addKey = `
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

export class KeyExchange {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Completes an interrupted exchange, and removes its leftovers on this host. */
  async recover(): Promise<void> {
    const { config, guest, log } = this.#parts;
    const folder = join(config.home, 'keys');
    const left = (await readdir(folder).catch(() => [])).filter((name) => /^(new-|ask-)/.test(name));
    for (const name of left) await rm(join(folder, name), { recursive: true, force: true });
    if ((await this.#noted()) === undefined) return;
    try {
      await this.#finish(await guest.open());
    } catch (error) {
      if (!isRefusal(error)) throw error;
      log.warn(
        { err: error },
        'an interrupted key change is not completed: the next start, or the next key change, revokes the keys that are not in place',
      );
    }
  }

  /** Replaces the key in place, which works until the new one does. */
  async rotate(run: OperationRun, shell: GuestShell): Promise<void> {
    const { config, keys } = this.#parts;
    if ((await this.#noted()) !== undefined)
      await run.step('Finish the previous key change', () => this.#finish(shell));
    await this.exchange(run, shell.host, {
      revoked: [await this.publicOf((await keys.usable()).file)],
      accept: async (publicKey) => {
        await run.step('Install it in the virtual machine', () =>
          shell.read({ script: addKey, values: [config.guest.home, publicKey] }),
        );
      },
    });
  }

  /** Makes a key, has it accepted, tries it, and puts it in place. */
  async exchange(run: OperationRun, host: string, { revoked, accept }: KeyWay): Promise<void> {
    const { config, guest } = this.#parts;
    const folder = join(config.home, 'keys', `${freshPrefix}${randomUUID()}`);
    const fresh = join(folder, 'sshKey');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      const publicKey = await run.step('Create a new key', async () => {
        await withoutSpace(fresh, () =>
          this.#keygen(['-q', '-t', 'ed25519', '-N', '', '-C', 'gantry-local-manager', '-f', fresh]),
        );
        return (await readFile(`${fresh}.pub`, 'utf8')).trim();
      });
      // Whichever of these keys is not in place in the end must lose access.
      const noted = [...((await this.#noted()) ?? []), ...revoked, keyBodyOf(publicKey)];
      await writeWhole(this.#noteFile, JSON.stringify({ keys: [...new Set(noted)] }));
      const tried = guest.with(host, { file: fresh, source: fresh, isEncrypted: false });
      await accept(publicKey, tried);
      await run.step('Test it', () => tried.read({ script: 'exit 0' }));
      await run.step('Put it in place', () => this.#putInPlace(run, fresh));
      await run.step('Revoke the keys that are not in place', async () => this.#finish(await guest.at(host)));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async publicOf(file: string): Promise<string> {
    return keyBodyOf((await this.#keygen(['-y', '-P', '', '-f', file])).trim());
  }

  /** Revokes every recorded key except the one in place. */
  async #finish(shell: GuestShell): Promise<void> {
    const { config, keys } = this.#parts;
    const current = await this.publicOf((await keys.usable()).file);
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

  async #putInPlace(run: OperationRun, fresh: string): Promise<void> {
    const path = await this.#parts.keys.path();
    if (path === null) throw refusal('ssh_key_missing', 'There is no place for the key.');
    const beside = `${path}.new`;
    try {
      await mkdir(dirname(path), { recursive: true });
      await rm(beside, { force: true });
      await withoutSpace(path, () => copyFile(fresh, beside));
      await replaceFile(beside, path);
    } catch (error) {
      await rm(beside, { force: true }).catch(() => undefined);
      if (isRefusal(error)) throw error;
      throw refusal('host_failed', `The new key cannot be put at ${path}; the previous key is unchanged.`, {
        cause: error,
      });
    }
    // The public half is not needed for access, so a failure is only reported.
    await copyFile(`${fresh}.pub`, `${path}.pub`).catch((error: unknown) =>
      run.line('error', `The public half cannot be put at ${path}.pub: ${String(error)}`),
    );
  }

  #keygen(args: readonly string[]): Promise<string> {
    return sshKeygen(this.#parts.config.programs.sshKeygen, args);
  }
}

/** Type and key without the comment, which may differ. */
function keyBodyOf(line: string): string {
  return line.split(/\s+/).slice(0, 2).join(' ');
}
