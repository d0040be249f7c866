// Finds out how far the setup is, so that whoever comes back goes on where it stopped.
import type { components } from '../../../generated/local-manager.d.ts';
import type { OperationKind, Operations } from '../operations/operations.ts';
import type { StatusObserver } from '../status/status.ts';
import type { SetupState } from './setup-state.ts';

type Schemas = components['schemas'];
type StepName = Schemas['SetupStepName'];

const kinds: Partial<Record<StepName, OperationKind[]>> = {
  import: ['importVm'],
  security: ['secureVm'],
  network: ['setUpNetwork'],
  bootstrap: ['bootstrap', 'repair'],
};

export class SetupProgress {
  readonly #status: StatusObserver;
  readonly #state: SetupState;
  readonly #operations: Operations;

  constructor(status: StatusObserver, state: SetupState, operations: Operations) {
    this.#status = status;
    this.#state = state;
    this.#operations = operations;
  }

  async get(): Promise<Schemas['SetupProgress']> {
    const { vm, host, battlegroup, needsBootstrap } = await this.#status.get();
    const remembered = await this.#state.done();
    const isComplete = battlegroup !== null;
    const isImported = vm.state !== 'missing' && vm.state !== 'unknown';
    const done: Record<StepName, boolean> = {
      preflight: isImported || host.state === 'ready',
      import: isImported,
      security: isComplete || (isImported && remembered.has('security')),
      network: isComplete || (isImported && remembered.has('network')),
      bootstrap: isComplete,
    };
    const names: StepName[] = ['preflight', 'import', 'security', 'network', 'bootstrap'];
    const steps = names.map((name) => ({ name, ...this.#stateOf(name, done[name]) }));
    return {
      isComplete,
      nextStep: steps.find(({ state }) => state !== 'done')?.name ?? null,
      steps,
      needsRepair: needsBootstrap && (await this.#status.hasEmptyNamespaces()),
    };
  }

  /** The last operation for a step tells how it went, as long as the step is not done. */
  #stateOf(name: StepName, isDone: boolean): Pick<Schemas['SetupStep'], 'state' | 'detail'> {
    const last = this.#operations.list().find(({ kind }) => kinds[name]?.includes(kind) === true);
    if (last?.state === 'running') return { state: 'running', detail: last.steps.at(-1)?.name ?? null };
    if (isDone) return { state: 'done', detail: null };
    if (last?.state === 'failed') return { state: 'failed', detail: last.problem?.detail ?? null };
    if (last?.state === 'interrupted') return { state: 'failed', detail: 'The manager ended while it ran.' };
    return { state: 'todo', detail: null };
  }
}
