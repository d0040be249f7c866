// Opens a shell in the virtual machine, or refuses at once with the reason.
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { KeyFile, UsableKey } from '../keys/key-file.ts';
import type { VmReader } from '../vm/vm-reader.ts';
import { GuestShell } from './guest-shell.ts';
import { isReachable } from './knock.ts';

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
  with(host: string, key: UsableKey): GuestShell {
    const { vmName, guest, programs } = this.#config;
    return new GuestShell(programs.ssh, {
      host,
      port: guest.port,
      user: guest.user,
      alias: `gantry-${vmName}`,
      knownHostsFile: this.knownHostsFile,
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
