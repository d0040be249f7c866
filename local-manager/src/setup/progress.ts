// Determines the progress of the setup, so that it can continue where it stopped.
import type { components } from '../../../generated/local-manager.d.ts';
import type { OperationKind, Operations } from '../operations/operations.ts';
import type { StatusObserver } from '../status/status.ts';
import type { VmReader } from '../vm/vm-reader.ts';
import { isImportCut, type SetupState } from './setup-state.ts';

type Schemas = components['schemas'];
type StepName = Schemas['SetupStepName'];

const kinds: Partial<Record<StepName, OperationKind[]>> = {
  import: ['importVm'],
  security: ['secureVm'],
  network: ['setUpNetwork'],
  bootstrap: ['bootstrap', 'repair'],
};

interface Parts {
  status: StatusObserver;
  reader: VmReader;
  state: SetupState;
  operations: Operations;
}

export class SetupProgress {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async get(): Promise<Schemas['SetupProgress']> {
    const { vm, host, cluster } = await this.#parts.status.get();
    const isThere = vm.state !== 'missing' && vm.state !== 'unknown';
    const remembered = isThere ? await this.#remembered(hasWorld(cluster.state)) : new Set<string>();
    const isKnown = cluster.state === 'empty' || cluster.state === 'incomplete';
    const isComplete = hasWorld(cluster.state) || (!isKnown && remembered.has('bootstrap'));
    const isImported = isThere && !isImportCut(remembered, vm.state);
    const done: Record<StepName, boolean> = {
      preflight: isThere || host.state === 'ready',
      import: isImported,
      security: isComplete || (isImported && remembered.has('security')),
      network: isComplete || (isImported && remembered.has('network')),
      bootstrap: isComplete,
    };
    // A machine that the manager has not imported may be in any state.
    const isUnknown = isImported && !isComplete && !isKnown && !remembered.has('import');
    const names: StepName[] = ['preflight', 'import', 'security', 'network', 'bootstrap'];
    const steps = names.map((name) => ({ name, ...this.#stateOf(name, done[name], isUnknown) }));
    const next = steps.find(({ state }) => state !== 'done');
    return {
      isComplete,
      nextStep: next === undefined || next.state === 'unknown' ? null : next.name,
      steps,
      needsRepair: cluster.state === 'incomplete',
    };
  }

  /** The steps done for the current virtual machine; an existing world is recorded as soon as it is seen. */
  async #remembered(isComplete: boolean): Promise<ReadonlySet<string>> {
    const { reader, state } = this.#parts;
    const id = (await reader.recent().catch(() => undefined))?.vm?.id ?? null;
    const remembered = await state.done(id);
    if (isComplete && id !== null && !remembered.has('bootstrap')) await state.add('bootstrap', id);
    return remembered;
  }

  /** The last operation of a step determines its state, unless the step is done or a reset has happened since. */
  #stateOf(
    name: StepName,
    isDone: boolean,
    isUnknown: boolean,
  ): Pick<Schemas['SetupStep'], 'state' | 'detail'> {
    const operations = this.#parts.operations.list();
    const reset = operations.findIndex(({ kind, state }) => kind === 'reset' && state === 'succeeded');
    const last = (reset === -1 ? operations : operations.slice(0, reset)).find(
      ({ kind }) => kinds[name]?.includes(kind) === true,
    );
    if (last?.state === 'running') return { state: 'running', detail: last.steps.at(-1)?.name ?? null };
    if (isDone) return { state: 'done', detail: null };
    if (last?.state === 'failed' || last?.state === 'interrupted')
      return { state: 'failed', detail: last.problem?.detail ?? null };
    if (isUnknown) return { state: 'unknown', detail: 'Seen once the virtual machine can be asked.' };
    return { state: 'todo', detail: null };
  }
}

const hasWorld = (state: Schemas['ClusterStatus']['state']) => state === 'ready' || state === 'several';
