// The virtual machine's host key: the known fingerprint, and the acceptance of another one.
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { components } from '../../../generated/local-manager.d.ts';
import type { KeyFile } from '../keys/key-file.ts';
import { sshKeygen } from '../keys/ssh-keygen.ts';
import type { Operations } from '../operations/operations.ts';
import { isRefusal, refusal, type Refusal } from '../refusals.ts';
import { replaceFile } from '../whole-files.ts';
import type { Guest } from './guest.ts';
import { fingerprintIn } from './ssh-errors.ts';

type HostKeysView = components['schemas']['HostKeys'];

interface Parts {
  guest: Guest;
  keys: KeyFile;
  operations: Operations;
  sshKeygenProgram: string;
}

export class HostKeys {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Null if no host key is known. */
  known(): Promise<string | null> {
    return this.#fingerprintIn(this.#parts.guest.knownHostsFile);
  }

  async accept(fingerprint: string): Promise<HostKeysView> {
    const { guest, keys, operations } = this.#parts;
    operations.refuseWhileRunning();
    const key = await keys.usable();
    const host = await guest.runningAddress();
    return operations.begin(
      'acceptHostKey',
      (run) =>
        run.step('Compare the host key and accept it', async () => {
          const fresh = `${guest.knownHostsFile}.${randomUUID()}`;
          try {
            // ssh records the host key before it logs in, which may fail for another reason.
            const failure = await guest
              .with(host, key, { knownHostsFile: fresh })
              .read({ script: 'exit 0' })
              .then(() => undefined, refusalIn);
            const shown = await this.#fingerprintIn(fresh);
            if (shown === null)
              throw failure ?? refusal('guest_unreachable', 'The virtual machine presents no host key.');
            if (shown !== fingerprint)
              throw refusal(
                'host_key_changed',
                `The virtual machine shows ${shown} now, not the host key that you saw. Nothing was changed.`,
              );
            await replaceFile(fresh, guest.knownHostsFile);
            return { known: shown, shown };
          } finally {
            await rm(fresh, { force: true });
          }
        }),
      ({ known }) => ({ summary: `The host key ${known} is accepted.` }),
    ).result;
  }

  async #fingerprintIn(file: string): Promise<string | null> {
    try {
      const { guest, sshKeygenProgram } = this.#parts;
      return fingerprintIn(await sshKeygen(sshKeygenProgram, ['-l', '-F', guest.alias, '-f', file]));
    } catch (error) {
      if (isRefusal(error)) return null;
      throw error;
    }
  }
}

function refusalIn(error: unknown): Refusal {
  if (isRefusal(error)) return error;
  throw error;
}
