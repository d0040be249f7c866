// Starts and stops the virtual machine.
import type { components } from '../../../generated/local-manager.d.ts';
import type { Battlegroups } from '../battlegroup/battlegroups.ts';
import type { Guest } from '../guest-shell/guest.ts';
import type { HostBridge } from '../powershell/host-bridge.ts';
import type { OperationRun, Operation } from '../operations/operation-run.ts';
import type { OperationResult, Operations } from '../operations/operations.ts';
import { isRefusal, refusal } from '../refusals.ts';
import type { VmReader, VmView } from './vm-reader.ts';
import type { ConfiguredMemory, MemoryWish, StartedVm, VmStarter } from './vm-starter.ts';

type VmStarted = components['schemas']['VmStarted'];

const addressWithinMs = 150_000;
const sshWithinMs = 120_000;
const stopTimeoutMs = 300_000;

interface Parts {
  bridge: HostBridge;
  reader: VmReader;
  starter: VmStarter;
  guest: Guest;
  battlegroups: Battlegroups;
  operations: Operations;
  vmName: string;
  pollMs: number;
}

export class Vm {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Returns once the machine runs; the operation continues until the machine accepts connections. */
  async start(wish: MemoryWish): Promise<VmStarted> {
    const { operations, reader } = this.#parts;
    operations.refuseWhileRunning();
    const { state } = await reader.existing();
    if (state !== 'off' && state !== 'saved' && state !== 'paused')
      throw refusal('vm_on', `The virtual machine is already ${state}.`);
    const { promise, resolve, reject } = Promise.withResolvers<StartedVm>();
    const operation = operations.start('startVm', async (run) => {
      try {
        const started = await this.startWithMemory(run, wish);
        resolve(started);
        const ip = await this.waitForAddress(run);
        return {
          summary: `The virtual machine runs with ${started.memoryGB} GB.`,
          memoryGB: started.memoryGB,
          ip,
        };
      } catch (error) {
        reject(error);
        throw error;
      }
    });
    return { success: true, ...(await promise), operation };
  }

  startWithMemory(run: OperationRun, wish: MemoryWish): Promise<StartedVm> {
    return run.step('Start the virtual machine', (step) => this.#parts.starter.start(run, step, wish));
  }

  /** Waits until the machine has an address and accepts connections. */
  async waitForAddress(run: OperationRun): Promise<string> {
    const { reader } = this.#parts;
    const ip = await run.step(
      'Wait for its address',
      async ({ signal }) => {
        const found = await run.poll(async () => (await reader.now()).vm?.ip ?? undefined, {
          everyMs: this.#parts.pollMs,
          withinMs: addressWithinMs,
          signal,
        });
        if (found === undefined) throw refusal('guest_unreachable', 'The virtual machine got no address.');
        return found;
      },
      { isCancellable: true },
    );
    await this.waitForSsh(run, ip);
    return ip;
  }

  async waitForSsh(run: OperationRun, ip: string): Promise<void> {
    await run.step(
      `Wait for SSH at ${ip}`,
      async ({ signal }) => {
        const isOpen = await run.poll(
          async () => ((await this.#parts.guest.isReachableAt(ip)) ? true : undefined),
          {
            everyMs: this.#parts.pollMs,
            withinMs: sshWithinMs,
            signal,
          },
        );
        if (isOpen !== true)
          throw refusal('guest_unreachable', `The virtual machine does not respond at ${ip}.`);
      },
      { isCancellable: true },
    );
  }

  changeMemory(memoryGB: number): Promise<ConfiguredMemory> {
    const { operations, starter } = this.#parts;
    return operations.begin(
      'changeMemory',
      (run) => run.step('Change the configured memory', () => starter.changeMemory(memoryGB)),
      ({ configuredMemoryGB }) => ({ summary: `${configuredMemoryGB ?? '?'} GB of memory are configured.` }),
    ).result;
  }

  stop(): Promise<Operation> {
    return this.#beginStop(async (run) => {
      await this.#parts.battlegroups.stopIfReachable(run);
      await this.#shutDown(run);
      return { summary: 'The virtual machine is off.' };
    });
  }

  /** Switches the machine off without a graceful shutdown of it or its battlegroup. */
  switchOff(): Promise<Operation> {
    return this.#beginStop(async (run) => {
      await this.#switchOff(run);
      return { summary: 'The virtual machine is turned off.' };
    });
  }

  async #beginStop(work: (run: OperationRun) => Promise<OperationResult>): Promise<Operation> {
    const { operations, reader } = this.#parts;
    operations.refuseWhileRunning();
    const { state } = await reader.existing();
    if (state === 'off') throw refusal('vm_off', 'The virtual machine is already off.');
    return operations.start('stopVm', work);
  }

  #shutDown(run: OperationRun): Promise<void> {
    return run.step('Shut the virtual machine down', () => this.#untilOff(run, { turnOff: false }));
  }

  #switchOff(run: OperationRun): Promise<void> {
    return run.step('Turn the virtual machine off', () => this.#untilOff(run, { turnOff: true }));
  }

  async #untilOff(run: OperationRun, { turnOff }: { turnOff: boolean }): Promise<void> {
    const { bridge, reader, vmName } = this.#parts;
    try {
      await bridge.run('stop-vm', { vmName, turnOff }, { timeoutMs: stopTimeoutMs });
    } catch (error) {
      if (!isRefusal(error) || error.code !== 'host_failed') throw error;
      run.line('error', error.message);
    }
    const vm = await reader.existing();
    const { state } = vm;
    if (state === 'off') {
      await this.#restoreMemory(run, vm);
      return;
    }
    throw refusal(
      'vm_on',
      `The virtual machine has not shut down, it is ${state}. Wait and check again, or turn it off; that is like pulling the plug, and unwritten data is lost.`,
    );
  }

  /** The machine is off as requested, so a failure is only reported; the next start restores the memory. */
  async #restoreMemory(run: OperationRun, vm: VmView): Promise<void> {
    try {
      await this.#parts.starter.restore(vm);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      run.line('error', `The configured memory is not restored yet: ${error.message}`);
    }
  }
}
