// Determines the progress of the setup, so that it can continue where it stopped.
import type { components } from '../../../generated/local-manager.d.ts';
import type { OperationKind, Operations } from '../operations/operations.ts';
import type { StatusObserver } from '../status/status.ts';
import type { VmReader } from '../vm/vm-reader.ts';
import type { Preflight, PreflightView } from './preflight.ts';
import { isImportCut, type SetupState } from './setup-state.ts';

type Schemas = components['schemas'];
type StepName = Schemas['SetupStepName'];

const kinds: Partial<Record<StepName, OperationKind[]>> = {
  import: ['importVm'],
  security: ['secureVm'],
  network: ['setUpNetwork'],
  bootstrap: ['bootstrap', 'repair'],
};

type StepState = Pick<Schemas['SetupStep'], 'state' | 'detail'>;

/** The progress does not wait longer for Windows. */
const hostMs = 8_000;

const unseen = {
  security:
    'The manager has not locked it. It may still have the vendor’s password and key: lock it here, unless you have replaced both.',
  network: 'The manager has not set its network; its present network stays in use.',
};

interface Parts {
  preflight: Preflight;
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
    const [{ vm, cluster }, host] = await Promise.all([
      this.#parts.status.get(),
      this.#parts.preflight.recentWithin(hostMs),
    ]);
    const isAsked = cluster.state !== 'notAsked';
    // If Windows does not respond, a machine that can be asked is there nevertheless.
    const isThere = vm.state === 'unknown' ? isAsked : vm.state !== 'missing';
    const isSilent = vm.state === 'unknown' && !isAsked;
    const remembered = isThere ? await this.#remembered(hasWorld(cluster.state)) : new Set<string>();
    const isKnown = cluster.state === 'empty' || cluster.state === 'incomplete';
    const isComplete = hasWorld(cluster.state) || (!isKnown && remembered.has('bootstrap'));
    const isImported = isThere && !isImportCut(remembered, vm.state);
    const isLocked = remembered.has('security') || remembered.has('password');
    // Only what the manager has seen counts as done.
    const done: Record<StepName, boolean> = {
      preflight: host?.isReady === true,
      import: isImported,
      security: isImported && isLocked,
      network: isImported && remembered.has('network'),
      bootstrap: isComplete,
    };
    // A machine that the manager has not imported may be in any state.
    const isAdopted = isImported && !remembered.has('import');
    const isUnknown = isSilent || (isAdopted && !isComplete && !isKnown);
    const steps: Schemas['SetupStep'][] = [
      { name: 'preflight', ...hostState(host) },
      { name: 'import', ...this.#stateOf('import', done.import, isUnknown) },
      ...(['security', 'network'] as const).map((name) => ({
        name,
        ...(isComplete && !done[name] ? this.#unseen(name) : this.#stateOf(name, done[name], isUnknown)),
      })),
      { name: 'bootstrap', ...this.#stateOf('bootstrap', done.bootstrap, isUnknown) },
    ];
    const locked = steps.find(({ name, state }) => name === 'security' && state === 'done');
    if (locked !== undefined && !remembered.has('security'))
      locked.detail = 'Only the password was replaced, not the key.';
    const next = steps.find(({ name, state }) => state !== 'done' && !(isThere && name === 'preflight'));
    return {
      isComplete,
      nextStep: isComplete || next === undefined || next.state === 'unknown' ? null : next.name,
      steps,
      needsRepair: cluster.state === 'incomplete',
    };
  }

  /** The steps done for the current virtual machine; an existing world is recorded as soon as it is seen. */
  async #remembered(isComplete: boolean): Promise<ReadonlySet<string>> {
    const { reader, state } = this.#parts;
    const id = (await reader.recentWithin(hostMs).catch(() => undefined))?.vm?.id ?? null;
    const remembered = await state.done(id);
    if (isComplete && id !== null && !remembered.has('bootstrap')) await state.add('bootstrap', id);
    return remembered;
  }

  /** A world without these steps was set up elsewhere, or by someone who left them out. */
  #unseen(name: 'security' | 'network'): StepState {
    const found = this.#stateOf(name, false, true);
    return found.state === 'unknown' ? { state: 'unknown', detail: unseen[name] } : found;
  }

  /** The last operation of a step determines its state, unless the step is done or a reset has happened since. */
  #stateOf(name: StepName, isDone: boolean, isUnknown: boolean): StepState {
    const operations = this.#parts.operations.list();
    const reset = operations.findIndex(({ kind, state }) => kind === 'reset' && state === 'succeeded');
    const last = (reset === -1 ? operations : operations.slice(0, reset)).find(
      ({ kind }) => kinds[name]?.includes(kind) === true,
    );
    if (last?.state === 'running') return { state: 'running', detail: last.steps.at(-1)?.name ?? null };
    if (isDone) return { state: 'done', detail: null };
    if (last?.state === 'failed' || last?.state === 'interrupted')
      return { state: 'failed', detail: last.problem?.detail ?? null };
    if (isUnknown) return { state: 'unknown', detail: 'Shown once the virtual machine can be reached.' };
    return { state: 'todo', detail: null };
  }
}

function hostState(host: PreflightView | undefined): StepState {
  if (host === undefined) return { state: 'unknown', detail: 'Windows does not respond.' };
  const { isReady, checks } = host;
  if (isReady) return { state: 'done', detail: null };
  const failed = checks.filter(({ state }) => state === 'failed').map(({ name }) => name);
  return { state: 'failed', detail: `Not met: ${failed.join(', ')}.` };
}

const hasWorld = (state: Schemas['ClusterStatus']['state']) => state === 'ready' || state === 'several';
