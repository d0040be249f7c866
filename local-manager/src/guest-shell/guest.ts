// Opens the way into the virtual machine, or says at once why there is none.
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { KeyFile, UsableKey } from '../keys/key-file.ts';
import type { VmReader } from '../vm/vm-reader.ts';
import { GuestShell } from './guest-shell.ts';
import { answersAt } from './knock.ts';

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

  /** The key is looked for first: without it nothing else needs to be asked. */
  async open(): Promise<GuestShell> {
    await this.#keys.usable();
    return this.at(await this.#vm.runningAddress());
  }

  /** The same at an address that is known. */
  async at(host: string): Promise<GuestShell> {
    return this.with(host, await this.#keys.usable());
  }

  /** The same with another key. */
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

  /** Whether something listens there; a virtual machine has an address before it lets anybody in. */
  answers(host: string): Promise<boolean> {
    return answersAt(host, this.#config.guest.port);
  }
}
