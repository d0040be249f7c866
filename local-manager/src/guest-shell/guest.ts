// Opens a shell in the virtual machine, or refuses at once with the reason.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { KeyFile, UsableKey } from '../keys/key-file.ts';
import type { VmReader } from '../vm/vm-reader.ts';
import { GuestShell, type GuestAddress } from './guest-shell.ts';
import type { PasswordLogin } from './password-login.ts';
import { isReachable } from './knock.ts';

type LoginOptions = Partial<Pick<GuestAddress, 'knownHostsFile' | 'password'>>;

export class Guest {
  readonly #config: Config;
  readonly #keys: KeyFile;
  readonly #vm: VmReader;

  constructor(config: Config, keys: KeyFile, vm: VmReader) {
    this.#config = config;
    this.#keys = keys;
    this.#vm = vm;
  }

  get knownHostsFile(): string {
    return join(this.#config.home, 'known_hosts');
  }

  /** The name of the host key, which belongs to the virtual machine and not to an address. */
  get alias(): string {
    return aliasOf(this.#config.vmName);
  }

  /** Without a key, which may be lost. */
  withPassword(host: string, password: PasswordLogin): GuestShell {
    return this.with(host, { file: '', source: '', isEncrypted: false }, { password });
  }

  runningAddress(): Promise<string> {
    return this.#vm.runningAddress();
  }

  /** The vendor's folder in the virtual machine. */
  get folder(): string {
    return `${this.#config.guest.home}/.dune`;
  }

  /** Checks the key first: without it, no other check is needed. */
  async open(): Promise<GuestShell> {
    await this.#keys.usable();
    return this.at(await this.#vm.runningAddress());
  }

  /** As `open`, at a known address. */
  async at(host: string): Promise<GuestShell> {
    return this.with(host, await this.#keys.usable());
  }

  /** As `at`, with another key. */
  with(host: string, key: UsableKey, options: LoginOptions = {}): GuestShell {
    const { guest, programs } = this.#config;
    return new GuestShell(programs.ssh, {
      host,
      port: guest.port,
      user: guest.user,
      alias: this.alias,
      knownHostsFile: this.knownHostsFile,
      ...options,
      keyFile: key.file,
      keySource: key.source,
      isKeyEncrypted: key.isEncrypted,
    });
  }

  /** Whether it accepts connections; a virtual machine has an address before it does. */
  isReachableAt(host: string): Promise<boolean> {
    return isReachable(host, this.#config.guest.port);
  }
}

/** A name that ssh takes as one word: other characters are replaced, and a hash distinguishes the names. */
export function aliasOf(vmName: string): string {
  if (/^[A-Za-z0-9._-]+$/.test(vmName)) return `gantry-${vmName}`;
  const hash = createHash('sha256').update(vmName).digest('hex').slice(0, 12);
  return `gantry-${vmName.replace(/[^A-Za-z0-9._-]+/g, '-')}-${hash}`;
}
