// Starts the virtual machine with as much memory as the host has, and leaves the configured memory when it can't.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { HostBridge } from '../host-bridge/host-bridge.ts';
import type { OperationRun, StepRun } from '../operations/operation-run.ts';
import { bytesOf, fieldsOf, jsonOf, numberOf } from '../parsing.ts';
import { isRefusal, refusal, type Refusal } from '../refusals.ts';
import { writeWhole } from '../whole-files.ts';
import { memoryToTry } from './memory-ladder.ts';
import type { VmReader } from './vm-reader.ts';

export interface StartedVm {
  memoryGB: number;
  attemptedGB: number[];
}

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

  /** A start that ended in the middle has left some rung configured; what was configured before is put back. */
  async recover(): Promise<void> {
    const note = await readFile(this.#noteFile, 'utf8').catch(() => undefined);
    if (note === undefined) return;
    const configuredGB = numberOf(fieldsOf(jsonOf(note))['configuredGB']);
    try {
      const { vm } = await this.#vm.now();
      if (vm?.state === 'off' && configuredGB !== null) await this.#configure(configuredGB);
      await rm(this.#noteFile, { force: true });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.#log.warn({ err: error }, 'the configured memory is put back when Windows can be asked');
    }
  }

  async start(run: OperationRun, step: StepRun, askedGB: number | undefined): Promise<StartedVm> {
    const { startupMemoryGB: configuredGB } = await this.#vm.existing();
    await writeWhole(this.#noteFile, JSON.stringify({ configuredGB }));
    const attemptedGB: number[] = [];
    for (const memoryGB of memoryToTry(configuredGB, askedGB)) {
      attemptedGB.push(memoryGB);
      step.note(`with ${memoryGB} GB`);
      run.line('output', `Starting ${this.#vmName} with ${memoryGB} GB`);
      const failure = await this.#try(memoryGB, configuredGB);
      if (failure === undefined) {
        await rm(this.#noteFile, { force: true });
        return { memoryGB, attemptedGB };
      }
      run.line('error', failure.message);
      if (failure.code !== 'out_of_memory') throw await this.#gaveUp(failure, attemptedGB, configuredGB);
    }
    const tooLittle = refusal(
      'out_of_memory',
      `The host has too little memory to start the virtual machine, even with ${attemptedGB.at(-1) ?? 0} GB.`,
    );
    throw await this.#gaveUp(tooLittle, attemptedGB, configuredGB);
  }

  async #try(memoryGB: number, configuredGB: number | null): Promise<Refusal | undefined> {
    const memoryBytes = memoryGB === configuredGB ? null : bytesOf(memoryGB);
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

  /** Puts the configured memory back and says what was tried. */
  async #gaveUp(failure: Refusal, attemptedGB: number[], configuredGB: number | null): Promise<Refusal> {
    if (configuredGB !== null && attemptedGB.some((memoryGB) => memoryGB !== configuredGB))
      await this.#configure(configuredGB);
    await rm(this.#noteFile, { force: true });
    const members = {
      startFailed: true,
      attemptedGB,
      ...(configuredGB !== null && { configuredGB }),
    };
    const code = failure.code === 'host_failed' ? 'start_failed' : failure.code;
    return refusal(code, failure.message, { cause: failure, members });
  }

  async #configure(memoryGB: number): Promise<void> {
    await this.#bridge.run('set-memory', { vmName: this.#vmName, memoryBytes: bytesOf(memoryGB) });
  }
}
