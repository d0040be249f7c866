// Sets the virtual machine's address, fixed or by DHCP, and writes the address that players join at.
import type { components } from '../../../generated/local-manager.d.ts';
import type { GuestShell } from '../guest-shell/guest-shell.ts';
import type { Guest } from '../guest-shell/guest.ts';
import type { OperationRun, Operation } from '../operations/operation-run.ts';
import type { Operations } from '../operations/operations.ts';
import { isRefusal, refusal } from '../refusals.ts';
import { usableAddress } from '../visibility/addresses.ts';
import type { Visibility } from '../visibility/visibility.ts';
import type { VmReader } from '../vm/vm-reader.ts';
import { interfacesOf, type Interfaces } from './interfaces.ts';
import { NetworkTrial, type TrialState } from './network-trial.ts';
import type { SetupState } from './setup-state.ts';

type NetworkRequest = components['schemas']['NetworkRequest'];

/** Maximum time for restarts of its network, besides the time that it waits for the confirmation. */
const restartsMs = 60_000;

interface Parts {
  guest: Guest;
  reader: VmReader;
  visibility: Visibility;
  operations: Operations;
  state: SetupState;
  pollMs: number;
  /** How long the machine keeps the new addresses without a confirmation. */
  trialMs: number;
}

interface Found {
  ip: string;
  shell: GuestShell;
  state: NonNullable<TrialState>;
}

export class Network {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async start(request: NetworkRequest): Promise<Operation> {
    const { operations, guest, state, reader, visibility } = this.#parts;
    const wanted = interfacesOf(request);
    const { playerIp } = request;
    if (typeof playerIp === 'string')
      usableAddress(playerIp, 'The address that players join at', '/playerIp');
    operations.refuseWhileRunning();
    const shell = await guest.open();
    return operations.start('setUpNetwork', async (run) => {
      const ip = await this.#apply(run, shell, wanted);
      if (playerIp !== undefined) {
        const there = await guest.at(ip);
        await run.step('Write the address that players join at', () => visibility.write(there, playerIp));
      }
      await state.add('network', (await reader.existing()).id);
      return { summary: `The virtual machine is at ${ip}.`, ip };
    });
  }

  async #apply(run: OperationRun, shell: GuestShell, wanted: Interfaces): Promise<string> {
    const { pollMs, trialMs } = this.#parts;
    const trial = new NetworkTrial();
    const before = shell.host;
    await run.step('Try the addresses', () => trial.begin(shell, wanted, Math.ceil(trialMs / 1000)));
    const found = await run.step(
      'Wait until its network has restarted',
      async ({ signal }) => {
        const goesBackAt = Date.now() + trialMs;
        const outcome = await run.poll(
          async () =>
            (await this.#lookAt(trial, wanted.address)) ??
            (Date.now() < goesBackAt ? undefined : await this.#lookAt(trial, before)),
          { everyMs: pollMs, withinMs: trialMs + restartsMs, signal },
        );
        if (outcome?.state.is === 'tried') return { ...outcome, state: outcome.state };
        const where = wanted.address === null ? '' : ` at ${wanted.address}`;
        const silence = `After the restart of its network the virtual machine did not respond${where} within ${Math.ceil(trialMs / 1000)} seconds.`;
        if (outcome === undefined)
          throw refusal(
            'guest_unreachable',
            `${silence} It should have reverted to its old address, but does not respond at ${before} either: stop and start the virtual machine to restore its old address.`,
          );
        await trial.forget(outcome.shell);
        throw refusal(
          'guest_unreachable',
          `${silence} It has reverted to its old address and responds at ${before}; nothing has changed. Check the address, the prefix and the router, and try again.`,
        );
      },
      { isCancellable: true },
    );
    if (found.state.code !== 0)
      run.line('error', `The restart of its network ended with ${found.state.code}.`);
    await run.step('Keep the addresses', () => trial.keep(found.shell));
    return found.ip;
  }

  /** The trial's outcome as the guest reports it; undefined while the guest is unreachable or the trial runs. */
  async #lookAt(trial: NetworkTrial, address: string | null): Promise<Found | undefined> {
    const { guest, reader } = this.#parts;
    try {
      const ip = address ?? (await reader.now()).vm?.ip ?? undefined;
      if (ip === undefined) return undefined;
      const shell = await guest.at(ip);
      const state = await trial.look(shell);
      return state === undefined ? undefined : { ip, shell, state };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (error.code === 'host_key_changed')
        throw refusal(
          'invalid_address',
          `Another machine responds at ${address ?? 'the address from the router'}. The virtual machine reverts to its old address by itself within two minutes.`,
        );
      return undefined;
    }
  }
}
