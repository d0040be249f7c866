// Starts the virtual machine with as much memory as the host has, and restores the configured memory on failure.
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { components } from '../../../generated/local-manager.d.ts';
import type { HostBridge } from '../powershell/host-bridge.ts';
import type { OperationRun, StepRun } from '../operations/operation-run.ts';
import { bytesOf, fieldsOf, gigabytes, jsonOf, numberOf, textOf } from '../parsing.ts';
import { isRefusal, refusal, type Refusal } from '../refusals.ts';
import { writeWhole } from '../whole-files.ts';
import { memoryToTry } from './memory-ladder.ts';
import type { VmReader, VmView } from './vm-reader.ts';

export interface StartedVm {
  memoryGB: number;
  attemptedGB: number[];
}

/** The memory requested for a start, and whether later starts use it as well. */
export interface MemoryWish {
  memoryGB?: number | undefined;
  keepMemory?: boolean | undefined;
}

export type ConfiguredMemory = components['schemas']['VmMemory'];

const startTimeoutMs = 180_000;

export class VmStarter {
  readonly #bridge: HostBridge;
  readonly #vm: VmReader;
  readonly #vmName: string;
  readonly #noteFile: string;
  readonly #log: Logger;

  constructor(bridge: HostBridge, vm: VmReader, options: { vmName: string; home: string; log: Logger }) {
    this.#bridge = bridge;
    this.#vm = vm;
    this.#vmName = options.vmName;
    this.#noteFile = join(options.home, 'configured-memory.json');
    this.#log = options.log;
  }

  /** Restores the configured memory of a machine that is off, also after an interrupted start. */
  async recover(): Promise<void> {
    if (!existsSync(this.#noteFile)) return;
    try {
      const { vm } = await this.#vm.now();
      if (vm?.state === 'off') await this.restore(vm);
      else if (vm === null || (await this.#noted(vm)) === undefined)
        await rm(this.#noteFile, { force: true });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.#log.warn({ err: error }, 'the configured memory is restored when Windows can be queried');
    }
  }

  /** For a machine that has just been shut down: its next start tries the configured memory again. */
  async restore(vm: VmView): Promise<void> {
    const configuredBytes = await this.#noted(vm);
    if (
      configuredBytes !== undefined &&
      configuredBytes !== null &&
      configuredBytes !== vm.startupMemoryBytes
    )
      await this.#configure(configuredBytes);
    await rm(this.#noteFile, { force: true });
  }

  /** The memory that the next start tries first, and whether the current one is for this start only. */
  async memoryOf(vm: VmView): Promise<ConfiguredMemory> {
    const configuredBytes = (await this.#noted(vm)) ?? vm.startupMemoryBytes;
    return {
      configuredMemoryGB: gigabytes(configuredBytes),
      startupMemoryGB: vm.startupMemoryGB,
      isMemoryTemporary: configuredBytes !== vm.startupMemoryBytes,
    };
  }

  /** Hyper-V takes it only while the machine is off; until then it is recorded for the next start. */
  async changeMemory(memoryGB: number): Promise<ConfiguredMemory> {
    const vm = await this.#vm.existing();
    const configuredBytes = memoryGB === vm.startupMemoryGB ? vm.startupMemoryBytes : bytesOf(memoryGB);
    if (vm.state === 'off' && configuredBytes !== vm.startupMemoryBytes)
      await this.#configure(bytesOf(memoryGB));
    if (vm.state === 'off' || configuredBytes === vm.startupMemoryBytes)
      await rm(this.#noteFile, { force: true });
    else await this.#note(vm, configuredBytes, [vm.startupMemoryBytes]);
    return this.memoryOf(await this.#vm.existing());
  }

  async start(run: OperationRun, step: StepRun, wish: MemoryWish): Promise<StartedVm> {
    const vm = await this.#vm.existing();
    if (vm.state !== 'off') return this.#resume(run, vm, wish.memoryGB);
    const configuredBytes = (await this.#noted(vm)) ?? vm.startupMemoryBytes;
    const configuredGB = gigabytes(configuredBytes);
    const triedBytes = [vm.startupMemoryBytes];
    const attemptedGB: number[] = [];
    for (const memoryGB of memoryToTry(configuredGB, wish.memoryGB)) {
      attemptedGB.push(memoryGB);
      step.note(`with ${memoryGB} GB`);
      run.line('output', `Starting ${this.#vmName} with ${memoryGB} GB`);
      const wanted = memoryGB === configuredGB ? configuredBytes : bytesOf(memoryGB);
      const isAsItIs = attemptedGB.length === 1 && wanted === vm.startupMemoryBytes;
      triedBytes.push(wanted);
      await this.#note(vm, configuredBytes, triedBytes);
      const failure = await this.#try(isAsItIs ? null : wanted);
      if (failure === undefined) {
        if (wanted === configuredBytes || wish.keepMemory) await rm(this.#noteFile, { force: true });
        else run.line('output', `The configured memory stays ${configuredGB ?? '?'} GB for the next start`);
        return { memoryGB, attemptedGB };
      }
      run.line('error', failure.message);
      if (failure.code !== 'out_of_memory') {
        await this.#putBack(run, configuredBytes, vm.startupMemoryBytes);
        throw startFailure(failure, attemptedGB, configuredGB);
      }
    }
    await this.#putBack(run, configuredBytes, vm.startupMemoryBytes);
    const tooLittle = refusal(
      'out_of_memory',
      `The host has too little memory to start the virtual machine, even with ${attemptedGB.at(-1) ?? 0} GB.`,
    );
    throw startFailure(tooLittle, attemptedGB, configuredGB);
  }

  /** A saved or paused machine resumes with its former memory, which cannot be changed. */
  async #resume(run: OperationRun, vm: VmView, askedGB: number | undefined): Promise<StartedVm> {
    const memoryGB = vm.startupMemoryGB ?? 0;
    if (askedGB !== undefined && askedGB !== memoryGB)
      throw refusal(
        'vm_on',
        `The virtual machine is ${vm.state}, with ${memoryGB} GB; its memory can be changed only when it is off.`,
      );
    run.line('output', `Resuming ${this.#vmName}, which is ${vm.state}`);
    const failure = await this.#try(null);
    if (failure === undefined) return { memoryGB, attemptedGB: [memoryGB] };
    throw startFailure(failure, [memoryGB], vm.startupMemoryGB);
  }

  async #try(memoryBytes: number | null): Promise<Refusal | undefined> {
    try {
      await this.#bridge.run(
        'start-vm',
        { vmName: this.#vmName, memoryBytes },
        { timeoutMs: startTimeoutMs },
      );
      return undefined;
    } catch (error) {
      if (isRefusal(error)) return error;
      throw error;
    }
  }

  /** If restoring fails as well, the start failure is still the one reported; the record stays for the next attempt. */
  async #putBack(run: OperationRun, configuredBytes: number | null, before: number | null): Promise<void> {
    try {
      const now = (await this.#vm.existing()).startupMemoryBytes ?? before;
      if (configuredBytes !== null && now !== configuredBytes) await this.#configure(configuredBytes);
      await rm(this.#noteFile, { force: true });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      run.line('error', `The configured memory is not restored yet: ${error.message}`);
    }
  }

  /**
   * The recorded configured memory of this machine; undefined if there is none, or if another program has set a
   * value that no start of the manager tried.
   */
  async #noted(vm: VmView): Promise<number | null | undefined> {
    const text = await readFile(this.#noteFile, 'utf8').catch(() => undefined);
    if (text === undefined) return undefined;
    const { vmId, configuredBytes, configuredGB, triedBytes } = fieldsOf(jsonOf(text));
    if (textOf(vmId) !== null && vm.id !== null && vmId !== vm.id) return undefined;
    if (Array.isArray(triedBytes) && !triedBytes.includes(vm.startupMemoryBytes)) return undefined;
    const inGB = numberOf(configuredGB);
    return numberOf(configuredBytes) ?? (inGB === null ? null : bytesOf(inGB));
  }

  /** `triedBytes` are the values that Hyper-V may have now. */
  #note(vm: VmView, configuredBytes: number | null, triedBytes: readonly (number | null)[]): Promise<void> {
    return writeWhole(this.#noteFile, JSON.stringify({ vmId: vm.id, configuredBytes, triedBytes }));
  }

  async #configure(memoryBytes: number): Promise<void> {
    await this.#bridge.run('set-memory', { vmName: this.#vmName, memoryBytes });
  }
}

/** Adds the attempted sizes to the refusal. */
function startFailure(failure: Refusal, attemptedGB: number[], configuredGB: number | null): Refusal {
  const members = { startFailed: true, attemptedGB, ...(configuredGB !== null && { configuredGB }) };
  const code = failure.code === 'host_failed' ? 'start_failed' : failure.code;
  return refusal(code, failure.message, { cause: failure, members });
}
