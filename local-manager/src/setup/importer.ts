// Brings the vendor's virtual machine to this host: copies, connects, prepares and starts it, and installs its key.
import type { components } from '../../../generated/local-manager.d.ts';
import type { HostBridge } from '../host-bridge/host-bridge.ts';
import type { OperationRun } from '../operations/operation-run.ts';
import type { Operation } from '../operations/operation-store.ts';
import type { Operations } from '../operations/operations.ts';
import { bytesOf, flagOf, textOf } from '../parsing.ts';
import { refusal } from '../refusals.ts';
import type { Vm } from '../vm/vm.ts';
import type { VmReader } from '../vm/vm-reader.ts';
import type { SetupState } from './setup-state.ts';

type ImportRequest = components['schemas']['ImportRequest'];

const diskGB = 100;
const importTimeoutMs = 45 * 60_000;
const usualTimeoutMs = 5 * 60_000;

interface Parts {
  bridge: HostBridge;
  reader: VmReader;
  vm: Vm;
  operations: Operations;
  state: SetupState;
  vmName: string;
}

export class Importer {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async start(request: ImportRequest): Promise<Operation> {
    const { operations, reader } = this.#parts;
    operations.refuseWhileRunning();
    if (request.networkMode === 'external' && request.nicName === undefined)
      throw refusal('validation_failed', 'body /nicName: is needed with an external network');
    if ((await reader.now()).vm !== null)
      throw refusal('vm_exists', 'There is a virtual machine already: go on with it, or reset first.');
    return operations.start('importVm', (run) => this.#run(run, request));
  }

  async #run(run: OperationRun, request: ImportRequest): Promise<components['schemas']['OperationResult']> {
    const { bridge, state, vm, vmName } = this.#parts;
    const { drive, memoryGB, networkMode, nicName } = request;
    const long = { timeoutMs: usualTimeoutMs };
    const vmcxPath = await run.step('Find the vendor’s package', async ({ note }) => {
      const found = await packageOf(bridge);
      note(found);
      return found;
    });
    const destination = `${drive}:\\DuneAwakeningServer`;
    await run.step(`Copy the virtual machine to ${destination}`, () =>
      bridge.run('import-vm', { vmName, vmcxPath, destination }, { timeoutMs: importTimeoutMs }),
    );
    // Another machine has another host key, and nothing of what was done for the one before.
    await state.clear();
    await run.step('Connect it to the network', () =>
      bridge.run('connect-network', { vmName, mode: networkMode, nicName: nicName ?? null }, long),
    );
    await run.step('Prepare its disk and memory', () =>
      bridge.run('prepare-vm', { vmName, diskBytes: bytesOf(diskGB), memoryBytes: bytesOf(memoryGB) }, long),
    );
    await run.step('Install the key', async ({ note }) => {
      const { found, installed, path } = await bridge.run('install-key', { vmcxPath });
      if (!flagOf(found)) note('The package has none; copy the key yourself.');
      else note(`${flagOf(installed) ? 'copied to' : 'is at'} ${textOf(path) ?? ''}`);
    });
    const { memoryGB: started } = await vm.startWithMemory(run, undefined);
    const ip = await vm.waitForAddress(run);
    return { summary: `The virtual machine runs with ${started} GB at ${ip}.`, memoryGB: started, ip };
  }
}

export async function packageOf(bridge: HostBridge): Promise<string> {
  const path = textOf((await bridge.run('get-preflight', {}))['vmcxPath']);
  if (path === null)
    throw refusal('host_failed', 'The vendor’s package was not found: install it with Steam.');
  return path;
}
