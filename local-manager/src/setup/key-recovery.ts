// Recovers access to a virtual machine whose key is lost, without touching its worlds.
import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { components } from '../../../generated/local-manager.d.ts';
import type { Config } from '../config.ts';
import type { GuestShell } from '../guest-shell/guest-shell.ts';
import type { Guest } from '../guest-shell/guest.ts';
import { withPassword } from '../guest-shell/password-login.ts';
import type { HostBridge } from '../powershell/host-bridge.ts';
import type { Operation, OperationRun } from '../operations/operation-run.ts';
import type { Operations, OperationResult } from '../operations/operations.ts';
import { textOf } from '../parsing.ts';
import { isRefusal, refusal } from '../refusals.ts';
import type { Secrets } from '../security/secrets.ts';
import { packageOf } from './importer.ts';
import { addKey, type KeyExchange } from './key-exchange.ts';

type KeyRecoveryRequest = components['schemas']['KeyRecoveryRequest'];

/** Someone has to find the console and enter a command there. */
const consoleMs = 30 * 60_000;

interface Parts {
  bridge: HostBridge;
  config: Config;
  guest: Guest;
  exchange: KeyExchange;
  operations: Operations;
  secrets: Secrets;
}

export class KeyRecovery {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async start({ method, password }: KeyRecoveryRequest): Promise<Operation> {
    const { operations, guest, secrets } = this.#parts;
    if (password !== undefined) secrets.add(password);
    operations.refuseWhileRunning();
    if (method === 'password' && password === undefined)
      throw refusal('validation_failed', 'The password is missing.', {
        faults: [{ in: 'body', pointer: '/password', detail: 'is required with this method' }],
      });
    const host = await guest.runningAddress();
    return operations.start('recoverKey', (run) => {
      if (method === 'password') return this.#withPassword(run, host, password ?? '');
      return method === 'bundledKey' ? this.#withBundledKey(run, host) : this.#atConsole(run, host);
    });
  }

  #withPassword(run: OperationRun, host: string, password: string): Promise<OperationResult> {
    const { config, guest, exchange } = this.#parts;
    return withPassword({ home: config.home, password }, async (login) => {
      const shell = guest.withPassword(host, login);
      await run.step('Log in with the password', () => shell.read({ script: 'exit 0' }));
      await exchange.exchange(run, host, { revoked: [], accept: this.#accept(run, shell) });
      return recovered;
    });
  }

  async #withBundledKey(run: OperationRun, host: string): Promise<OperationResult> {
    const { bridge, config, guest, exchange } = this.#parts;
    const file = join(config.home, 'keys', `new-${randomUUID()}`, 'sshKey');
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    try {
      await run.step('Find the key of the vendor’s package', async () => {
        const { content } = await bridge.run('read-bundled-key', { vmcxPath: await packageOf(bridge) });
        const key = textOf(content);
        if (key === null)
          throw refusal('host_failed', 'The vendor’s package has no key. Use the password or the console.');
        await writeFile(file, Buffer.from(key, 'base64'), { mode: 0o600 });
      });
      const shell = guest.with(host, { file, source: 'the key of the vendor’s package', isEncrypted: false });
      await run.step('Log in with it', () => shell.read({ script: 'exit 0' }));
      const revoked = [await exchange.publicOf(file)];
      await exchange.exchange(run, host, { revoked, accept: this.#accept(run, shell) });
      return recovered;
    } finally {
      await rm(dirname(file), { recursive: true, force: true });
    }
  }

  async #atConsole(run: OperationRun, host: string): Promise<OperationResult> {
    const { config, exchange } = this.#parts;
    await exchange.exchange(run, host, {
      revoked: [],
      accept: async (publicKey, tried) => {
        const command = `mkdir -p ~/.ssh && echo '${publicKey}' >> ~/.ssh/authorized_keys`;
        run.line('output', 'In Hyper-V Manager, connect to the virtual machine, log in at its console, and');
        run.line('output', 'enter this command there (Clipboard, “Type clipboard text” pastes it):');
        run.line('output', command);
        await run.step(
          'Wait until you have entered the command at its console',
          async ({ note, signal }) => {
            note(command);
            const isAccepted = await run.poll(() => isOpen(tried), {
              everyMs: config.pollMs,
              withinMs: consoleMs,
              signal,
            });
            if (isAccepted === undefined)
              throw refusal('guest_unreachable', 'The command was not entered within 30 minutes.');
          },
          { isCancellable: true },
        );
      },
    });
    return recovered;
  }

  #accept(run: OperationRun, shell: GuestShell) {
    return async (publicKey: string): Promise<void> => {
      await run.step('Install it in the virtual machine', () =>
        shell.read({ script: addKey, values: [this.#parts.config.guest.home, publicKey] }),
      );
    };
  }
}

const recovered: OperationResult = {
  summary: 'Access is restored, with a key that only this host has.',
};

/** Undefined while the key is not accepted, and while the machine does not respond. */
async function isOpen(shell: GuestShell): Promise<true | undefined> {
  try {
    await shell.read({ script: 'exit 0' });
    return true;
  } catch (error) {
    if (isRefusal(error) && ['ssh_key_rejected', 'guest_unreachable'].includes(error.code)) return undefined;
    throw error;
  }
}
