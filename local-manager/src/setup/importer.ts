// Imports the vendor's virtual machine into this host: copies, connects, prepares, starts it, and installs its key.
import type { components } from '../../../generated/local-manager.d.ts';
import type { HostBridge } from '../powershell/host-bridge.ts';
import type { OperationRun, StepRun, Operation } from '../operations/operation-run.ts';
import type { Operations } from '../operations/operations.ts';
import { bytesOf, flagOf, textOf } from '../parsing.ts';
import { isRefusal, refusal } from '../refusals.ts';
import type { Vm } from '../vm/vm.ts';
import type { VmReader } from '../vm/vm-reader.ts';
import type { Preflight } from './preflight.ts';
import { isImportCut, type ImportPart, type SetupState } from './setup-state.ts';

type ImportRequest = components['schemas']['ImportRequest'];

const diskGB = 100;
const importTimeoutMs = 45 * 60_000;
const defaultTimeoutMs = 5 * 60_000;

interface Parts {
  bridge: HostBridge;
  reader: VmReader;
  vm: Vm;
  preflight: Preflight;
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
    const { operations, reader, state } = this.#parts;
    operations.refuseWhileRunning();
    if (request.networkMode === 'external' && request.nicName === undefined)
      throw refusal('validation_failed', 'body /nicName: is needed with an external network');
    const { vm } = await reader.now();
    const isCut = vm !== null && isImportCut(await state.done(vm.id), vm.state);
    if (vm !== null && !isCut)
      throw refusal('vm_exists', 'There is already a virtual machine: continue with it, or reset first.');
    await this.#refuseUnfit(request, isCut);
    return operations.start('importVm', (run) => this.#run(run, request, isCut));
  }

  /** Refuses unavailable choices before anything is copied. */
  async #refuseUnfit({ drive, networkMode, nicName }: ImportRequest, isCopied: boolean): Promise<void> {
    const { drives, nics } = await this.#parts.preflight.choices();
    const wanted = drives.find(({ name }) => name === drive);
    const faults = [];
    if (!isCopied && wanted === undefined)
      faults.push({ pointer: '/drive', detail: `This host has no drive ${drive}.` });
    if (!isCopied && wanted?.isLargeEnough === false)
      faults.push({
        pointer: '/drive',
        detail: `Drive ${drive} has ${wanted.freeGB} GB free; more than ${diskGB} GB are needed.`,
      });
    if (networkMode === 'external' && !nics.some(({ name }) => name === nicName))
      faults.push({
        pointer: '/nicName',
        detail: `No connected network adapter is called ${nicName ?? ''}.`,
      });
    if (faults.length > 0)
      throw refusal('invalid_setting', faults.map(({ detail }) => detail).join(' '), {
        faults: faults.map((fault) => ({ in: 'body', ...fault })),
      });
  }

  async #run(
    run: OperationRun,
    request: ImportRequest,
    isCut: boolean,
  ): Promise<components['schemas']['OperationResult']> {
    const { bridge, vm, vmName } = this.#parts;
    const { drive, memoryGB, networkMode, nicName } = request;
    const long = { timeoutMs: defaultTimeoutMs };
    const vmcxPath = await run.step('Find the vendor’s package', async ({ note }) => {
      const found = await packageOf(bridge);
      note(found);
      return found;
    });
    if (isCut) run.skip('Copy the virtual machine', 'it exists; the previous import is resumed');
    else await this.#copy(run, vmcxPath, `${drive}:\\DuneAwakeningServer`);
    await this.#part(run, 'connected', 'Connect it to the network', () =>
      bridge.run('connect-network', { vmName, mode: networkMode, nicName: nicName ?? null }, long),
    );
    await this.#part(run, 'prepared', 'Prepare its disk', () =>
      bridge.run('prepare-vm', { vmName, diskBytes: bytesOf(diskGB) }, long),
    );
    await this.#part(run, 'memory', 'Set its memory', () =>
      bridge.run('set-memory', { vmName, memoryBytes: bytesOf(memoryGB) }, long),
    );
    await this.#part(run, 'key', 'Install the key', async ({ note }) => {
      const { found, installed, path, movedTo } = await bridge.run('install-key', { vmcxPath });
      const before = textOf(movedTo);
      if (!flagOf(found)) note('The package has none; copy the key yourself.');
      else
        note(
          `${flagOf(installed) ? 'copied to' : 'is at'} ${textOf(path) ?? ''}${before === null ? '' : `; the one before is ${before}`}`,
        );
    });
    const { memoryGB: started } = await vm.startWithMemory(run, {});
    const ip = await vm.waitForAddress(run);
    return { summary: `The virtual machine runs with ${started} GB at ${ip}.`, memoryGB: started, ip };
  }

  /** A new machine has a new host key, and none of the steps done for the former one. */
  async #copy(run: OperationRun, vmcxPath: string, destination: string): Promise<void> {
    const { bridge, state, vmName } = this.#parts;
    const long = { timeoutMs: importTimeoutMs };
    await run.step(`Prepare ${destination}`, async () => {
      const left = await bridge.run('remove-folder', { path: destination, onlyLeft: true }, long);
      if (flagOf(left['exists']))
        throw refusal('host_failed', `${destination} already exists. Remove it, or delete it with a reset.`);
      await state.clear();
      // Recorded first: if the manager ends during the copy, the machine is still known as its own.
      await state.add('import', null);
    });
    await run.step(
      `Copy the virtual machine to ${destination}`,
      async ({ percent, signal }) => {
        const cancel = () => void bridge.run('cancel-import', {}).catch(unheard(run));
        signal?.addEventListener('abort', cancel, { once: true });
        try {
          const call = { ...long, onPercent: percent };
          const { id } = await bridge.run('import-vm', { vmName, vmcxPath, destination }, call);
          await state.add('import', textOf(id));
        } catch (error) {
          if (signal?.aborted !== true || !isRefusal(error)) throw error;
          await bridge.run('remove-folder', { path: destination, onlyLeft: true }, long).catch(unheard(run));
          throw signal.reason;
        } finally {
          signal?.removeEventListener('abort', cancel);
        }
      },
      { isCancellable: true },
    );
  }

  /** A step that runs once per machine, however often its import is started. */
  async #part(
    run: OperationRun,
    part: ImportPart,
    name: string,
    work: (step: StepRun) => Promise<unknown>,
  ): Promise<void> {
    const { reader, state } = this.#parts;
    const { id } = await reader.existing();
    if ((await state.done(id)).has(part)) {
      run.skip(name, 'already done');
      return;
    }
    await run.step(name, work);
    await state.add(part, id);
  }
}

/** A copy that cannot be stopped or removed now is removed before the next one. */
const unheard = (run: OperationRun) => (error: unknown) => {
  if (!isRefusal(error)) throw error;
  run.line('error', error.message);
};

export async function packageOf(bridge: HostBridge): Promise<string> {
  const path = textOf((await bridge.run('get-preflight', {}))['vmcxPath']);
  if (path === null)
    throw refusal('host_failed', 'The vendor’s package was not found: install it with Steam.');
  return path;
}
