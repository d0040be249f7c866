// Secures the virtual machine with a new password and a key that only this host has.
import type { components } from '../../../generated/local-manager.d.ts';
import type { Config } from '../config.ts';
import type { Guest } from '../guest-shell/guest.ts';
import type { Operation } from '../operations/operation-run.ts';
import type { Operations } from '../operations/operations.ts';
import type { Secrets } from '../security/secrets.ts';
import type { VmReader } from '../vm/vm-reader.ts';
import type { KeyExchange } from './key-exchange.ts';
import type { SetupState } from './setup-state.ts';

type SecurityRequest = components['schemas']['SecurityRequest'];

interface Parts {
  config: Config;
  guest: Guest;
  exchange: KeyExchange;
  operations: Operations;
  secrets: Secrets;
  state: SetupState;
  reader: VmReader;
}

/** chpasswd reads names and passwords from standard input, where other users cannot see them. */
const changePassword = 'exec sudo -n chpasswd';

export class Lock {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async start({ newPassword, rotateKey }: SecurityRequest): Promise<Operation> {
    const { operations, guest, exchange, secrets, config, state, reader } = this.#parts;
    secrets.add(newPassword);
    operations.refuseWhileRunning();
    const shell = await guest.open();
    return operations.start('secureVm', async (run) => {
      await run.step('Change the password', () =>
        shell.read({ script: changePassword, input: `${config.guest.user}:${newPassword}\n` }),
      );
      if (rotateKey) await exchange.rotate(run, shell);
      await state.add(rotateKey ? 'security' : 'password', (await reader.existing()).id);
      return { summary: rotateKey ? 'The password and the key are new.' : 'The password is new.' };
    });
  }
}
